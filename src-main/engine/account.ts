import { setImmediate as turn } from 'node:timers/promises'
import { messages } from '../../src-shared/api/messages.ts'
import { session } from '../../src-shared/api/session.ts'
import type { ServerSearchResults } from '../../src-shared/bridge/calls.ts'
import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { MessageId, UserId } from '../../src-shared/ids.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { FileNotice } from '../../src-shared/model/account.ts'
import type { FileCheck } from '../../src-shared/model/diagnostics.ts'
import { usualNetwork, type AccountNetwork } from '../../src-shared/model/network.ts'
import type { MessageVersion } from '../../src-shared/model/message.ts'
import { actionsFor } from '../../src-shared/model/permissions.ts'
import type { Person } from '../../src-shared/model/user.ts'
import type { WritingPlace } from '../../src-shared/model/writing-place.ts'
import type { Connection } from '../api/connection.ts'
import type { Exchange } from '../api/exchange.ts'
import { createDrafts, type Drafts } from '../drafts/drafts.ts'
import { keepsDrafts } from '../drafts/keeps-drafts.ts'
import { createMedia, type Media } from '../media/media.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import { createOutgoingFiles, type OutgoingFiles } from '../outbox/outgoing-files.ts'
import type { AccountQueryContext, AccountQueryName } from '../queries/index.ts'
import { permissions } from '../queries/permissions.ts'
import { ownWords, prepareToRender, type OwnWords } from '../queries/own-words.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import type { Store } from '../store/database.ts'
import { freeBytes } from '../store/file-health.ts'
import { ordinaryHistoryMs } from '../sync/history.ts'
import { createServerTime, type ServerTime } from '../sync/server-time.ts'
import { startSync, type Sync, type SyncHooks } from '../sync/sync.ts'
import { createTypingNotices } from '../sync/typing-notices.ts'
import { connectAccount, type AccountKey } from './account-connection.ts'
import type { AccountEvents } from './account-events.ts'
import { accountQueryContext } from './account-queries.ts'
import { createNotifier } from './notifier.ts'
import { watchCounts, type UnreadCounts } from './counts.ts'
import { watchDisk } from './disk-watch.ts'
import { messageHistory, messageSource, readReceipts } from './message-facts.ts'
import { watchNameplate } from './nameplate.ts'
import { createOnScreen } from './on-screen.ts'
import { createOwnAddress } from './own-address.ts'
import type { Platform } from './platform.ts'
import { searchServer } from './server-search.ts'
import { createSyncStates } from './sync-states.ts'

/**
 * One login: its file, connection, sync, outbox and drafts. It is never changed: when it gets a new key or a new file,
 * it is closed and another one is opened.
 */
export interface LiveAccount {
  /** As the server last told it. */
  readonly known: KnownAccount
  readonly store: Store
  readonly outbox: Outbox
  readonly drafts: Drafts
  readonly files: OutgoingFiles
  readonly sync: Sync
  readonly connection: Connection
  readonly media: Media
  readonly unread: UnreadCounts
  /** The person's changes that the server does not know yet. */
  readonly waitingCount: number
  queryContext(): AccountQueryContext
  watch<N extends AccountQueryName>(
    name: N,
    params: CheckedParamsOf<N>,
    update: (json: string) => void,
  ): () => void
  watchSyncState(update: (json: string) => void): () => void
  watchFiles(update: (json: string) => void): () => void
  /** The person has read the notice about the file. */
  dismissFileNotice(): void
  tryNow(): void
  /** Ends every wait for a next attempt, because the system has a network again. Never throws. */
  networkIsBack(): void
  /** Measures one request to the server, in milliseconds. Rejects with a FailureError. */
  ping(): Promise<number>
  /** What the server finds and this device does not have. Rejects with a FailureError. */
  searchServer(text: string, before: MessageId | null): Promise<ServerSearchResults>
  messageSource(id: MessageId): Promise<string>
  messageHistory(id: MessageId): Promise<MessageVersion[]>
  readReceipts(id: MessageId): Promise<Person[]>
  /** Renders a message on this device. */
  preview(content: string): Pick<OwnWords, 'html' | 'isMeMessage'>
  /** Has a message rendered by the server. Rejects with a FailureError. */
  previewOnServer(content: string): Promise<string>
  /** The person is writing there, or has stopped. Never rejects. */
  reportTyping(place: WritingPlace, on: boolean): Promise<void>
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
  const shared: Shared = { store, connection, clock: platform, ownUserId: known.userId, signal, log }
  const queryContext = accountQueryContext({ ...parts, fileCheck, ownUserId: known.userId })
  const facts = { store, connection, signal, context: queryContext }

  const written = keepWriting(shared, parts.path, serverTime, () => sync)
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
      messagesArrived: (ids, byWildcard) => notifier.arrived(ids, byWildcard),
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
    disk: () => disk,
  })
  yield
  const counts = watchCounts(store, events)
  const wake = () => {
    // First, because the poll and whatever is retried must not use a connection that died during sleep.
    connection.renew()
    sync.wake()
    outbox.wake()
    files.wake()
    drafts.wake()
  }
  const wakeIfPossible = () => {
    try {
      wake()
    } catch (error) {
      // The disk may refuse to be written. Then each part retries after its own wait, and the caller gets no error.
      log(`waking: ${failureOf(error).message}`)
    }
  }
  const stopWaking = platform.onWake(wakeIfPossible)
  const disk = watchDisk({
    store,
    clock: platform,
    signal,
    freeBytes: () => freeBytes(parts.path),
    changed(trouble) {
      log(trouble === null ? 'disk: it takes writes again' : `disk: it takes no writes: ${trouble}`)
      // Writes that failed can be retried now.
      if (trouble === null) wakeIfPossible()
      try {
        states.tell()
      } catch (error) {
        // The disk cannot be read either; the next change is reported.
        log(`disk: ${failureOf(error).message}`)
      }
    },
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
    tryNow() {
      disk.tryNow()
      wake()
    },
    networkIsBack: wakeIfPossible,
    async ping() {
      const began = performance.now()
      await connection.call(session.getServerSettings, {}, { signal })
      return Math.round(performance.now() - began)
    },
    searchServer: (text, before) => searchServer(connection, queryContext(), text, before, signal),
    messageHistory: (id) => messageHistory(facts, id),
    readReceipts: (id) => readReceipts(facts, id),
    messageSource: (id) => messageSource(facts, id),
    preview(content) {
      const { html, isMeMessage } = ownWords(store.db)(content)
      return { html, isMeMessage }
    },
    async previewOnServer(content) {
      return (await connection.call(messages.renderMessage, { content }, { signal })).rendered
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
      stopWaking()
      store.close()
    },
  }
}

/** What all parts of an account need. */
interface Shared {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Platform
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  log(line: string): void
}

/** The parts that keep what the person wrote until the server has it. */
interface Written {
  readonly drafts: Drafts
  readonly files: OutgoingFiles
  readonly outbox: Outbox
}

/** `sync` must not be called before this returns, because sync starts after these parts. */
function keepWriting(shared: Shared, path: string, serverTime: ServerTime, sync: () => Sync): Written {
  const { store } = shared
  const files = createOutgoingFiles({ ...shared, path })
  const drafts = createDrafts({
    ...shared,
    files,
    keepsDrafts: () => keepsDrafts(store.db),
    catchUp: () => sync().catchUp(),
    registerAnew: () => sync().refresh([]),
    findTopics: () => sync().findTopics(),
  })
  const outbox = createOutbox({
    ...shared,
    files,
    queueId: () => sync().queueId,
    catchUp: () => sync().catchUp(),
    refresh: (ids) => sync().refresh(ids),
    outdate: (ids) => sync().outdate(ids),
    serverNow: () => serverTime.now(),
    findTopics: () => sync().findTopics(),
    mayDelete(conversation, sentAt) {
      const { ownUserId, clock } = shared
      const { messages } = permissions({ db: store.db, ownUserId }, conversation)
      return actionsFor(messages, { senderId: ownUserId, sentAt }, ownUserId, clock.now()).delete
    },
    keepAsDraft: (content) => void drafts.save(null, { recipient: null, content }),
  })
  return { drafts, files, outbox }
}

/** Passes what sync receives on to the parts that keep what the person wrote. */
const hooksOf = ({ drafts, outbox }: Written): Omit<SyncHooks, 'messagesArrived' | 'linkChanged'> => ({
  reapply: (db, data) => outbox.reapply(db, data),
  draftsEvent: (db, payload) => drafts.onEvent(db, payload),
  draftsSwitched: (db, areKept) => drafts.onSwitch(db, areKept),
  draftsSnapshot: (db, seen, mayBeThere) => drafts.onSnapshot(db, seen, mayBeThere),
  ownMessageArrived: (db, id, messageId) => outbox.ownMessageArrived(db, id, messageId),
  objectMade: (db, kind, one) => outbox.objectMade(db, kind, one),
  creationHeard: (db) => outbox.creationHeard(db),
  topicMoved: (db, from, to) => {
    outbox.topicMoved(db, from, to)
    drafts.onTopicMoved(db, from, to)
  },
  topicsFound: () => outbox.topicsFound(),
})
