import type { ApiDraft } from '../../src-shared/api/drafts.ts'
import type { EventPayload } from '../../src-shared/api/events.ts'
import { failureOf } from '../../src-shared/failure.ts'
import {
  channelId,
  isProvisional,
  type ChannelId,
  type MessageId,
  type UserId,
} from '../../src-shared/ids.ts'
import type { HistoryPause } from '../../src-shared/model/account.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { readCursor } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { isInFounded } from '../store/founded.ts'
import { staleAmong } from '../store/messages.ts'
import { doubtTopics } from '../store/topics-in-doubt.ts'
import { createAlarm } from './alarm.ts'
import { createApplier, type Applied } from './apply.ts'
import { fetchSubscribers } from './subscribers.ts'
import { fetchTopics } from './topics.ts'
import { fetchMessages, fetchPage, type BackfillParts } from './backfill.ts'
import { createFlights } from './flights.ts'
import { createComparison } from './comparison.ts'
import { createHistory, ordinaryHistoryMs, type History } from './history.ts'
import { createLink, type LinkState } from './link.ts'
import { createMissing } from './missing.ts'
import { createMovedMeanwhile } from './moved-meanwhile.ts'
import { createPace } from './pace.ts'
import { startPresence } from './presence.ts'
import { startQueueLoop, type QueueLoop } from './queue-loop.ts'
import { register } from './registration.ts'
import { createServerTime } from './server-time.ts'
import { startTypingExpiry } from './typing.ts'

/** What the sync tells the rest of the account. The first six run inside its transactions. */
export interface SyncHooks {
  /** Last in the transaction: puts the local effects of waiting changes back. */
  reapply(db: WritableDb): void
  draftsEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  /** The server was told to keep drafts from now on, or has dropped them all. */
  draftsSwitched(db: WritableDb, areKept: boolean): void
  /** What the server keeps, or null when it keeps none; others of which it spoke unintelligibly `mayBeThere`. */
  draftsSnapshot(
    db: WritableDb,
    drafts: readonly ApiDraft[] | null,
    mayBeThere: (serverId: number) => boolean,
  ): void
  ownMessageArrived(db: WritableDb, localId: string, messageId: number): void
  /** The conversation goes on elsewhere: all of a topic was given another name or channel. */
  topicMoved(db: WritableDb, from: Conversation, to: Conversation): void
  /** After the commit: what was held back until it was known where its topic is may go. */
  topicsFound(): void
  /** After the commit; messages of a live queue only. */
  messagesArrived(messageIds: readonly number[]): void
  linkChanged(link: LinkState): void
}

/**
 * Keeps the cache equal to what the server says.
 *
 * 1. Events and the queue's cursor are committed together.
 * 2. A start with a queue goes on with its events; nothing is registered or fetched again.
 * 3. An event that cannot be used is set aside with its reason and never stops the others twice.
 * 4. A fetched page never overwrites what a later event said.
 */
export interface Sync {
  readonly link: LinkState
  readonly queueId: string | null
  /** Cuts every wait short. */
  wake(): void
  /** Fetches a page before the message, or the newest when null; answers how many came. */
  loadOlder(narrow: Narrow, before: MessageId | null): Promise<number>
  /** Fetches a page after the message; answers how many came. */
  loadNewer(narrow: Narrow, after: MessageId): Promise<number>
  /** Fetches the names of a channel's topics; answers how many there are. */
  loadTopics(channelId: ChannelId): Promise<number>
  /** Fetches who is in a channel; answers how many there are. */
  loadSubscribers(channelId: ChannelId): Promise<number>
  /** Fetches these messages anew, whatever is here of them, or registers anew when none are named. */
  refresh(messageIds: readonly number[]): Promise<void>
  /** The server changed these messages: an answer that is under way does not overwrite what is shown of them. */
  outdate(messageIds: readonly number[]): void
  /** Resolves once everything that the server's queue holds now has been applied; rejects when that failed. */
  hearOut(): Promise<void>
  /** Asks where the topics in doubt are, as soon as there is a way to the server. */
  findTopics(): void
  /** These messages are on screen: those that may have changed during a gap are compared with the server. */
  shown(messageIds: readonly number[]): void
  /** Whether the person is at the machine, for presence. */
  reportActivity(isActive: boolean): void
  /** The person wants more or less history from now on. */
  historyWishChanged(): void
}

export interface SyncParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly hooks: SyncHooks
  readonly signal: AbortSignal
  /** How far back history is fetched unasked, milliseconds; null: everything. Ninety days unless said. */
  readonly historyMs?: () => number | null
  /** Of what the machine has little to give, so that history waits; of nothing unless said. */
  readonly sparing?: () => HistoryPause | null
  log(line: string): void
}

/** Starts the sync of one account; it goes on until `signal` aborts, and neither writes nor calls back afterwards. */
export function startSync(parts: SyncParts): Sync {
  const { store, connection, clock, ownUserId, hooks, signal, log } = parts
  const link = createLink(clock, signal, (state) => hooks.linkChanged(state))
  const alarm = createAlarm(clock, signal)
  const flights = createFlights()
  const serverTime = createServerTime(() => clock.now())
  /**
   * Another part's share of a transaction, in a savepoint. What the server said counts also when that part cannot
   * take it: otherwise one broken row of the outbox would keep the account from its messages for ever.
   */
  const share = (what: string, work: (db: WritableDb) => void) => {
    try {
      store.write(work)
    } catch (error) {
      if (failureOf(error).kind === 'device') throw error
      log(`sync: ${what}: ${failureOf(error).message}`)
    }
  }
  const reapply = () => share('waiting changes could not be put back', (db) => hooks.reapply(db))
  const backfill: BackfillParts = {
    store,
    connection,
    clock,
    ownUserId,
    signal,
    flights,
    reapply,
  }
  const typing = startTypingExpiry({ store, clock, signal, log })
  const presence = startPresence({ store, connection, clock, signal, link, serverTime, log })
  const insisting = { ...backfill, link, alarm }
  const movedMeanwhile = createMovedMeanwhile({
    ...insisting,
    topicMoved: (db, from, to) =>
      share('what was written could not follow its topic', () => hooks.topicMoved(db, from, to)),
    decided: () => hooks.topicsFound(),
    log,
  })
  const background = {
    ...insisting,
    pace: createPace(alarm),
    sparing: parts.sparing ?? (() => null),
    log,
  }
  const missing = createMissing(background)
  const comparison = createComparison({ ...background, isBusy: () => history.isRunning })
  const history: History = createHistory({
    ...background,
    historyMs: parts.historyMs ?? (() => ordinaryHistoryMs),
    unreadWanted: () => missing.goOn(),
    done: () => comparison.goOn(),
  })

  /** Work beside the poll: what is missing shows as a gap until a later fetch succeeds. */
  const aside = (what: string, work: Promise<unknown>) => {
    work.catch((error: unknown) => {
      if (!signal.aborted) log(`sync: ${what}: ${failureOf(error).message}`)
    })
  }

  const afterCommit = (applied: Applied) => {
    if (applied.needsRegistration) loop.registerAnew()
    if (applied.arrived.length > 0) {
      try {
        hooks.messagesArrived(applied.arrived)
      } catch (error) {
        // They are committed: a notice that fails must not look like an event that failed.
        log(`sync: new messages could not be announced: ${failureOf(error).message}`)
      }
    }
    for (const id of applied.joined) {
      const narrow = { kind: 'channel', channelId: channelId(id) } as const
      aside('a joined channel could not be fetched', fetchPage(backfill, narrow, { kind: 'newest' }))
    }
    typing.reschedule()
  }

  const applier = createApplier({
    store,
    clock,
    ownUserId,
    signal,
    flights,
    serverTime,
    hooks: { ...hooks, reapply },
    skippedTypes: () => loop.skippedTypes(),
    log,
  })
  const loop: QueueLoop = startQueueLoop({
    store,
    connection,
    clock,
    signal,
    link,
    alarm,
    log,
    async register() {
      const finish: Parameters<typeof register>[0]['finish'] = (drafts, mayBeThere) => {
        share('drafts could not be compared', (db) => hooks.draftsSnapshot(db, drafts, mayBeThere))
        share('topics could not be noted', doubtTopics)
        reapply()
      }
      await register({ store, connection, clock, signal, ownUserId, serverTime, reapply, finish })
      history.startOver()
    },
    apply: (events) => applier.apply(events, afterCommit),
    heard(cameOnline) {
      if (cameOnline) presence.cameOnline()
      movedMeanwhile.goOn()
      missing.goOn()
      history.goOn()
      comparison.goOn()
    },
  })
  aside('the loop ended', loop.finished)

  const asked = new Set<number>()
  let askedGeneration = 0

  return {
    get link() {
      return link.state
    },
    get queueId() {
      return readCursor(store.db).queueId
    },
    wake: () => alarm.ring(),
    loadOlder: async (narrow, before) =>
      isInFounded(narrow)
        ? 0
        : fetchPage(backfill, narrow, before === null ? { kind: 'newest' } : { kind: 'before', id: before }),
    loadNewer: async (narrow, after) =>
      isInFounded(narrow) ? 0 : fetchPage(backfill, narrow, { kind: 'after', id: after }),
    loadTopics: async (channelId) => (isProvisional(channelId) ? 0 : fetchTopics(backfill, channelId)),
    loadSubscribers: async (channelId) =>
      isProvisional(channelId) ? 0 : fetchSubscribers(backfill, channelId),
    outdate: (messageIds) => flights.touch(messageIds),
    async refresh(messageIds) {
      if (messageIds.length > 0) await fetchMessages(backfill, messageIds)
      else {
        loop.registerAnew()
        alarm.ring()
      }
    },
    hearOut: () => loop.hearOut(),
    findTopics: () => movedMeanwhile.goOn(),
    shown(messageIds) {
      if (link.state.status !== 'online') return
      const { generation } = readCursor(store.db)
      if (generation !== askedGeneration) asked.clear()
      askedGeneration = generation
      const stale = staleAmong(store.db, messageIds, generation).filter((id) => !asked.has(id))
      if (stale.length === 0) return
      for (const id of stale) asked.add(id)
      const work = fetchMessages(backfill, stale).catch((error: unknown) => {
        // They are asked for again when they are shown again.
        for (const id of stale) asked.delete(id)
        throw error
      })
      aside('messages on screen could not be compared', work)
    },
    reportActivity: (isActive) => presence.reportActivity(isActive),
    historyWishChanged() {
      history.startOver()
      if (link.state.status === 'online') history.goOn()
    },
  }
}
