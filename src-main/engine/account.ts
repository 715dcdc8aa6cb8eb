import { setImmediate as turn } from 'node:timers/promises'
import type { CallResultOf } from '../../src-shared/bridge/calls.ts'
import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { FileNotice } from '../../src-shared/model/account.ts'
import type { FileCheck } from '../../src-shared/model/diagnostics.ts'
import { usualNetwork, type AccountNetwork } from '../../src-shared/model/network.ts'
import type { WritingPlace } from '../../src-shared/model/writing-place.ts'
import type { Connection } from '../api/connection.ts'
import type { Exchange } from '../api/exchange.ts'
import type { Drafts } from '../drafts/drafts.ts'
import { createMedia, type Media } from '../media/media.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { OutgoingFiles } from '../outbox/outgoing-files.ts'
import type { AccountQueryContext, AccountQueryName } from '../queries/index.ts'
import { ownWords, prepareToRender } from '../queries/own-words.ts'
import { widgetOfText } from '../queries/widgets.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import type { Store } from '../store/database.ts'
import { ordinaryHistoryMs } from '../sync/history.ts'
import { createServerTime } from '../sync/server-time.ts'
import { startSync, type Sync } from '../sync/sync.ts'
import { createTypingNotices } from '../sync/typing-notices.ts'
import { connectAccount, type AccountKey } from './account-connection.ts'
import type { AccountEvents } from './account-events.ts'
import { accountQueryContext } from './account-queries.ts'
import { createWaking } from './account-waking.ts'
import { hooksOf, keepWriting } from './account-writing.ts'
import { createNotifier } from './notifier.ts'
import { watchCounts, type UnreadCounts } from './counts.ts'
import { watchNameplate } from './nameplate.ts'
import { createOnScreen } from './on-screen.ts'
import { createOwnAddress } from './own-address.ts'
import type { Platform } from './platform.ts'
import { createServerCalls, type ServerCalls } from './server-calls.ts'
import { createSyncStates } from './sync-states.ts'

/**
 * One login: its file, connection, sync, outbox and drafts. It is never changed: when it gets a new key or a new file,
 * it is closed and another one is opened.
 */
export interface LiveAccount extends ServerCalls {
  /** As the server last told it. */
  readonly known: KnownAccount
  readonly store: Store
  readonly outbox: Outbox
  readonly drafts: Drafts
  readonly files: OutgoingFiles
  readonly sync: Sync
  readonly connection: Connection
  readonly media: Media
  /** Always up to date. */
  readonly unread: UnreadCounts
  /** The person's changes that the server does not know yet. */
  readonly waitingCount: number
  /** What a query that runs now reads. */
  queryContext(): AccountQueryContext
  /** Calls `update` with the query's result now and after every change, as JSON; returns a function that stops. */
  watch<N extends AccountQueryName>(
    name: N,
    params: CheckedParamsOf<N>,
    update: (json: string) => void,
  ): () => void
  /** The same for the state of the connection, the disk and the account's file (`SyncState`). */
  watchSyncState(update: (json: string) => void): () => void
  /** The same for the files attached to messages that are not sent yet (`OutgoingFile[]`). */
  watchFiles(update: (json: string) => void): () => void
  /** The person has read the notice about the file. */
  dismissFileNotice(): void
  /** Tests the disk if it fails, and ends every wait for a next attempt. Throws if the disk refuses a write. */
  tryNow(): void
  /** Ends every wait for a next attempt, because the system has a network again. Never throws. */
  networkIsBack(): void
  /** Renders a message on this device. */
  preview(content: string): CallResultOf<'preview-message'>
  /** The person is writing there, or has stopped. Never rejects. */
  reportTyping(place: WritingPlace, on: boolean): Promise<void>
  /** Ends all work and closes the store. */
  close(): void
}

/** What an account is opened with. */
export interface AccountParts {
  readonly known: KnownAccount
  readonly key: AccountKey
  /** How requests travel; `usualNetwork` by default. */
  readonly network?: AccountNetwork
  readonly store: Store
  /** Path of the account's file. */
  readonly path: string
  /** What the person must know about the file, for example that it had to be rebuilt; null if nothing. */
  readonly fileNotice: FileNotice | null
  /** The result of the check when the file was opened; null if there was no check. */
  readonly fileCheck?: FileCheck | null
  readonly platform: Platform
  readonly userAgent: string
  readonly events: AccountEvents
  /** Replaces the HTTP exchange; the network by default. */
  readonly exchange?: Exchange
}

/** Starts an account at once. Aborting `closing` stops it as `close` does, but leaves the store open. */
export function openAccount(parts: AccountParts, closing = new AbortController()): LiveAccount {
  const steps = beginning(parts, closing)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Does the same, but lets other work run between its steps; null if `closing` was aborted meanwhile. */
export async function openAccountInTurns(
  parts: AccountParts,
  closing: AbortController,
): Promise<LiveAccount | null> {
  const steps = beginning(parts, closing)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await turn()
    if (closing.signal.aborted) return null
  }
}

/** Yields where other work may run. Starting is slow, because most of this code runs for the first time. */
function* beginning(parts: AccountParts, closing: AbortController): Generator<void, LiveAccount> {
  const { known, store, platform, events } = parts
  const { signal } = closing
  const { network = usualNetwork, fileCheck = null, exchange } = parts
  const latest = (): KnownAccount => ({ ...known, ...nameplate.current, email: address.kept })
  const knownChanged = () => events.knownChanged(latest())
  const nameplate = watchNameplate(store, known, knownChanged)
  const address = createOwnAddress({ known, store, changed: knownChanged })
  const serverTime = createServerTime(() => platform.now())
  const connection = connectAccount({ ...parts, address, network, serverTime, exchange, signal })
  const log = (line: string) => platform.log(`${known.organizationName}: ${line}`)
  const shared = { store, connection, clock: platform, ownUserId: known.userId, signal, log }
  const queryContext = accountQueryContext({ ...parts, fileCheck, ownUserId: known.userId })

  const written = keepWriting({ ...shared, path: parts.path, serverTime, sync: () => sync })
  const { drafts, files, outbox } = written
  const media = createMedia({ ...shared, path: parts.path, baseUrl: known.baseUrl })
  yield
  const sync: Sync = startSync({
    ...shared,
    serverTime,
    isActive: () => events.isActive(),
    sparing: () => (platform.isOnBattery?.() === true ? 'battery' : events.isMetered() ? 'metered' : null),
    historyMs: () => (events.wantsAllHistory() ? null : ordinaryHistoryMs),
    hooks: {
      ...hooksOf(written),
      messagesArrived: (ids) => notifier.arrived(ids),
      linkChanged: (link) => {
        outbox.setOnline(link.status === 'online')
        files.setOnline(link.status === 'online')
        // A draft must be based on the server's latest version of it, which is known only while events arrive.
        drafts.setOnline(link.status === 'online' && link.isLive)
        onScreen.compareSoon()
        states.tell()
        events.shellChanged()
      },
    },
  })
  const notifier = createNotifier({ accountId: known.id, events, queryContext })
  const stopWithdrawing = store.onChange(['unread'], () => notifier.unreadChanged())
  const onScreen = createOnScreen({ store, signal, queryContext, compare: (shown) => sync.shown(shown) })
  const typingNotices = createTypingNotices({ ...shared, isOnline: () => sync.link.status === 'online' })
  const states = createSyncStates({
    store,
    fileNotice: parts.fileNotice,
    link: () => sync.link,
    disk: () => waking.disk,
  })
  yield
  const counts = watchCounts(store, events)
  const waking = createWaking({
    ...shared,
    platform,
    sync,
    written,
    path: parts.path,
    diskChanged: () => states.tell(),
  })

  return {
    get known() {
      return latest()
    },
    store,
    outbox,
    drafts,
    files,
    connection,
    media,
    sync,
    get unread() {
      return counts.unread
    },
    get waitingCount() {
      return counts.waiting
    },
    queryContext: () => queryContext(),
    watch: (name, params, update) => onScreen.watch(name, params, update),
    watchFiles(update) {
      const send = () => update(JSON.stringify(files.all))
      send()
      return files.onChange(send)
    },
    watchSyncState: (update) => states.watch(update),
    dismissFileNotice: () => states.dismissFileNotice(),
    tryNow: () => waking.tryNow(),
    networkIsBack: () => waking.wakeIfPossible(),
    ...createServerCalls({ store, connection, signal, context: queryContext }),
    preview(content) {
      const { html, isMeMessage } = ownWords(store.db)(content)
      return { html, isMeMessage, widget: widgetOfText(content, known.userId) }
    },
    async reportTyping(place, on) {
      if (on) prepareToRender(store.db)
      await typingNotices.report(place, on)
    },
    close() {
      closing.abort()
      stopWithdrawing()
      counts.stop()
      nameplate.stop()
      waking.stop()
      store.close()
    },
  }
}
