import { setImmediate as turn } from 'node:timers/promises'
import { messages } from '../../src-shared/api/messages.ts'
import { session } from '../../src-shared/api/session.ts'
import type { ServerSearchResults } from '../../src-shared/bridge/calls.ts'
import type { CheckedParamsOf, ResultOf } from '../../src-shared/bridge/queries.ts'
import type { MessageId } from '../../src-shared/ids.ts'
import { FailureError, failureOf } from '../../src-shared/failure.ts'
import type { FileNotice, SyncState } from '../../src-shared/model/account.ts'
import type { FileCheck } from '../../src-shared/model/diagnostics.ts'
import { usualNetwork, type AccountNetwork } from '../../src-shared/model/network.ts'
import type { MessageVersion } from '../../src-shared/model/message.ts'
import type { Person } from '../../src-shared/model/user.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { WritingPlace } from '../../src-shared/model/writing-place.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import { createConnection, type Connection, type Exchange } from '../api/connection.ts'
import { createDrafts, type Drafts } from '../drafts/drafts.ts'
import { keepsDrafts } from '../drafts/keeps-drafts.ts'
import { mergeDraft } from '../drafts/merge.ts'
import { createMedia, type Media } from '../media/media.ts'
import { decide } from '../notifications/decide.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import { createOutgoingFiles, type OutgoingFiles } from '../outbox/outgoing-files.ts'
import { accountQueries, type AccountQueryContext, type AccountQueryName } from '../queries/index.ts'
import { ownWords, prepareToRender, type OwnWords } from '../queries/own-words.ts'
import { noticeFacts } from '../queries/notice-facts.ts'
import { syncStateOf } from '../queries/sync-state.ts'
import { badgeTotal, unreadTotals } from '../queries/unread-totals.ts'
import { waitingTotal } from '../queries/outbox.ts'
import type { KnownAccount } from '../store/accounts-store.ts'
import { readCursor } from '../store/cursor.ts'
import type { ReadableDb, Store } from '../store/database.ts'
import { fileHealth, freeBytes } from '../store/file-health.ts'
import { markdownOf, rememberMarkdown } from '../store/messages.ts'
import { ordinaryHistoryMs } from '../sync/history.ts'
import { waitingEditOf } from '../store/outbox.ts'
import { startSync, type Sync } from '../sync/sync.ts'
import { createTypingNotices } from '../sync/typing-notices.ts'
import { watchDisk } from './disk-watch.ts'
import { networkFor } from './network-settings.ts'
import { messageHistory, readReceipts } from './message-facts.ts'
import type { Platform } from './platform.ts'
import { searchServer } from './server-search.ts'

/** What an account tells the engine. */
export interface AccountEvents {
  notify(notice: Notice): void
  /** Unread counts may have changed. */
  countsChanged(): void
  /** The way to the server or the number of waiting changes may be another. */
  shellChanged(): void
  attention(): Narrow | null
  notificationsEnabled(): boolean
  /** The person wants quiet now. */
  isQuiet(): boolean
  /** What the network carries costs. */
  isMetered(): boolean
  /** Whether everything is fetched, not only what is recent. */
  wantsAllHistory(): boolean
}

/**
 * One login: its file, its way to the server, its sync, outbox and drafts. It has one life; when anything about it
 * changes (a new key, a lost file), it is closed and another is opened.
 */
export interface LiveAccount {
  readonly known: KnownAccount
  readonly store: Store
  readonly outbox: Outbox
  readonly drafts: Drafts
  readonly files: OutgoingFiles
  readonly sync: Sync
  readonly connection: Connection
  readonly media: Media
  readonly unread: ReturnType<typeof unreadTotals> & { readonly badge: number }
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
  /** The person has read what became of the file. */
  dismissFileNotice(): void
  tryNow(): void
  /** The system has a network again: what waits for its next attempt tries at once. */
  networkIsBack(): void
  /** How long an answer of the server takes, milliseconds; rejects with a FailureError. */
  ping(): Promise<number>
  /** What the server finds beyond this device; rejects with a FailureError. */
  searchServer(text: string, before: MessageId | null): Promise<ServerSearchResults>
  messageSource(id: MessageId): Promise<string>
  messageHistory(id: MessageId): Promise<MessageVersion[]>
  readReceipts(id: MessageId): Promise<Person[]>
  /** What a message will look like, as far as this device can tell. */
  preview(content: string): OwnWords
  /** The same by the server; rejects with a FailureError. */
  previewOnServer(content: string): Promise<string>
  /** The person writes there, or has stopped; never rejects. */
  reportTyping(place: WritingPlace, on: boolean): Promise<void>
  close(): void
}

/** The key that an account's requests carry, or why there is none. */
export type AccountKey = { readonly apiKey: string } | { readonly problem: string }

/** What an account is opened with. */
export interface AccountParts {
  readonly known: KnownAccount
  readonly key: AccountKey
  /** The usual way unless said. */
  readonly network?: AccountNetwork
  readonly store: Store
  /** Where the account's file is. */
  readonly path: string
  /** What became of the file when it was opened. */
  readonly fileNotice: FileNotice | null
  /** What the check of it found then, if there was one. */
  readonly fileCheck?: FileCheck | null
  readonly platform: Platform
  readonly userAgent: string
  readonly events: AccountEvents
  /** How requests travel; over the network unless said. */
  readonly exchange?: Exchange
}

/** Opens an account at once. `closing` ends it, as `close` does, without its file. */
export function openAccount(parts: AccountParts, closing = new AbortController()): LiveAccount {
  const steps = beginning(parts, closing)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same in a few turns of the event loop; null when `closing` was aborted between them. */
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

/** Hands over where others may have their turn: most of it is code that runs for the first time. */
function* beginning(parts: AccountParts, closing: AbortController): Generator<void, LiveAccount> {
  const { known, key, store, platform, events } = parts
  const { signal } = closing
  const connection = createConnection({
    baseUrl: known.baseUrl,
    credentials: 'problem' in key ? null : { email: known.email, apiKey: key.apiKey },
    userAgent: parts.userAgent,
    server: () => readCursor(store.db),
    network: networkFor(platform, known.baseUrl, parts.network ?? usualNetwork),
    ...(parts.exchange === undefined ? {} : { exchange: parts.exchange }),
    ...('problem' in key ? { exchange: refuseAll(key.problem) } : {}),
  })
  signal.addEventListener('abort', () => connection.close())
  const log = (line: string) => platform.log(`${known.organizationName}: ${line}`)
  const shared = { store, connection, clock: platform, ownUserId: known.userId, signal, log }
  const linkListeners = new Set<() => void>()
  const tellOfLink = () => {
    for (const listener of linkListeners) listener()
  }
  let { fileNotice } = parts

  const drafts = createDrafts({
    ...shared,
    keepsDrafts: () => keepsDrafts(store.db),
    hearOut: () => sync.hearOut(),
    registerAnew: () => sync.refresh([]),
    findTopics: () => sync.findTopics(),
  })
  const files = createOutgoingFiles({ ...shared, path: parts.path })
  const media = createMedia({ ...shared, path: parts.path, baseUrl: known.baseUrl })
  const outbox = createOutbox({
    ...shared,
    files,
    queueId: () => sync.queueId,
    hearOut: () => sync.hearOut(),
    refresh: (ids) => sync.refresh(ids),
    outdate: (ids) => sync.outdate(ids),
    serverNow: () => sync.serverNow(),
    findTopics: () => sync.findTopics(),
    keepAsDraft: (content) => void drafts.save(null, { recipient: null, content }),
  })
  yield
  const sync: Sync = startSync({
    ...shared,
    sparing: () => (platform.isOnBattery?.() === true ? 'battery' : events.isMetered() ? 'metered' : null),
    historyMs: () => (events.wantsAllHistory() ? null : ordinaryHistoryMs),
    hooks: {
      reapply: (db) => outbox.reapply(db),
      draftsEvent: (db, payload) => drafts.onEvent(db, payload),
      draftsSwitched: (db, areKept) => drafts.onSwitch(db, areKept),
      draftsSnapshot: (db, seen, mayBeThere) => drafts.onSnapshot(db, seen, mayBeThere),
      ownMessageArrived: (db, id, messageId) => outbox.ownMessageArrived(db, id, messageId),
      topicMoved: (db, from, to) => {
        outbox.topicMoved(db, from, to)
        drafts.onTopicMoved(db, from, to)
      },
      topicsFound: () => outbox.topicsFound(),
      messagesArrived: (ids) => {
        for (const id of ids) consider(id)
      },
      linkChanged: (link) => {
        outbox.setOnline(link.status === 'online')
        files.setOnline(link.status === 'online')
        // A draft is saved only on top of what the server had last, so only while its events are heard.
        drafts.setOnline(link.status === 'online' && link.isLive)
        compareSoon()
        tellOfLink()
        events.shellChanged()
      },
    },
  })

  const typingNotices = createTypingNotices({ ...shared, isOnline: () => sync.link.status === 'online' })

  /** What feeds, searches and lists show now. Messages of long ago may have changed while nobody listened: they are compared. */
  const onScreen = new Map<object, readonly number[]>()
  let comparing = false
  const compareSoon = () => {
    if (comparing || onScreen.size === 0) return
    comparing = true
    queueMicrotask(() => {
      comparing = false
      if (!signal.aborted) sync.shown([...onScreen.values()].flat())
    })
  }

  const consider = (id: number) => {
    const facts = noticeFacts(queryContext(store.db), id, {
      isEnabledHere: events.notificationsEnabled(),
      isQuiet: events.isQuiet(),
    })
    if (facts === null) return
    const decision = decide(facts.subject, facts.rules, events.attention())
    if (decision.kind === 'quiet') return
    events.notify({
      id: `${known.id}-${id}`,
      accountId: known.id,
      messageId: facts.messageId,
      conversation: facts.subject.conversation,
      title: facts.title,
      body: facts.body,
      avatarUrl: facts.avatarUrl,
      isSilent: decision.isSilent,
    })
  }

  const queryContext = (db: ReadableDb): AccountQueryContext => ({
    db,
    ownUserId: known.userId,
    now: platform.now(),
    fileHealth: () => ({ ...fileHealth(parts.path), check: parts.fileCheck ?? null }),
    piecesOf: (draft) => {
      const merged = mergeDraft(draft.base, draft.local, draft.remote ?? draft.local)
      return {
        pieces: merged.pieces,
        recipientDiffers: merged.kind === 'conflict' && merged.recipientDiffers,
      }
    },
  })

  const facts = { store, connection, signal, context: () => queryContext(store.db) }

  yield
  let unread = { ...unreadTotals(store.db), badge: badgeTotal(store.db) }
  const counted = ['conversations', 'topic_visibility', 'channels', 'account_settings']
  const stopCounting = store.onChange(counted, () => {
    unread = { ...unreadTotals(store.db), badge: badgeTotal(store.db) }
    events.countsChanged()
  })
  let waitingCount = waitingTotal(store.db)
  const stopWaiting = store.onChange(['outbox'], () => {
    const before = waitingCount
    waitingCount = waitingTotal(store.db)
    if (waitingCount !== before) events.shellChanged()
  })
  const wake = () => {
    sync.wake()
    outbox.wake()
    drafts.wake()
  }
  const wakeIfPossible = () => {
    try {
      wake()
    } catch (error) {
      // A disk that takes nothing just then: each goes on by its own waits, and the system that woke hears no error.
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
      // What waits for the disk need not wait any longer.
      if (trouble === null) wakeIfPossible()
      try {
        tellOfLink()
      } catch (error) {
        // Nor can it be read just then; the next change is told.
        log(`disk: ${failureOf(error).message}`)
      }
    },
  })

  return {
    known,
    store,
    outbox,
    drafts,
    connection,
    media,
    sync,
    queryContext: () => queryContext(store.db),
    get unread() {
      return unread
    },
    get waitingCount() {
      return waitingCount
    },
    watch(name, params, update) {
      const key = {}
      const stop = store.watch((db) => {
        const result = accountQueries[name](queryContext(db), params)
        const shown = messagesIn(name, result)
        if (shown !== null) {
          onScreen.set(key, shown)
          compareSoon()
        }
        return result
      }, update)
      return () => {
        stop()
        onScreen.delete(key)
      }
    },
    files,
    watchFiles(update) {
      const send = () => update(JSON.stringify(files.all))
      send()
      return files.onChange(send)
    },
    watchSyncState(update) {
      let last = ''
      const send = () => {
        const state: SyncState = {
          ...syncStateOf(store.db, sync.link),
          fileNotice,
          diskTrouble: disk.trouble,
          diskFreeBytes: disk.freeBytes,
        }
        const json = JSON.stringify(state)
        if (json === last) return
        last = json
        update(json)
      }
      send()
      linkListeners.add(send)
      const stop = store.onChange(['outbox', 'drafts', 'sync'], send)
      return () => {
        linkListeners.delete(send)
        stop()
      }
    },
    dismissFileNotice() {
      fileNotice = null
      tellOfLink()
    },
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
    searchServer: (text, before) => searchServer(connection, queryContext(store.db), text, before, signal),
    messageHistory: (id) => messageHistory(facts, id),
    readReceipts: (id) => readReceipts(facts, id),
    async messageSource(id) {
      const here = waitingEditOf(store.db, id) ?? markdownOf(store.db, id)
      if (here !== null) return here
      const answer = await connection.call(
        messages.getMessage,
        { message_id: id, apply_markdown: false },
        { signal },
      )
      const source = answer.message?.content ?? answer.raw_content ?? ''
      store.write((db) => rememberMarkdown(db, id, source))
      return source
    },
    preview: (content) => ownWords(store.db)(content),
    async previewOnServer(content) {
      return (await connection.call(messages.renderMessage, { content }, { signal })).rendered
    },
    async reportTyping(place, on) {
      if (on) prepareToRender(store.db)
      await typingNotices.report(place, on)
    },
    close() {
      closing.abort()
      stopCounting()
      stopWaiting()
      stopWaking()
      store.close()
    },
  }
}

/** Without a key nothing is asked of the server: the person is told why and asked to sign in, as after a refusal. */
const refuseAll =
  (message: string): Exchange =>
  () =>
    Promise.reject(new FailureError({ kind: 'unauthorized', code: 'NO_KEY', message }))

/** Which messages a result shows; null where a query is not about messages. */
function messagesIn(name: AccountQueryName, result: ResultOf<AccountQueryName>): number[] | null {
  // The result is that of the query of this name; TypeScript cannot follow that through the table.
  if (name === 'feed') return (result as ResultOf<'feed'>).messages.map(({ id }) => id)
  const found =
    name === 'search' || name === 'search-inside'
      ? (result as ResultOf<'search' | 'search-inside'>).results
      : name === 'starred'
        ? (result as ResultOf<'starred'>)
        : null
  return found?.map(({ messageId }) => messageId) ?? null
}
