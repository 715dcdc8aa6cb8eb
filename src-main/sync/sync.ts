import type { ApiDraft } from '../../src-shared/api/drafts.ts'
import type { EventPayload } from '../../src-shared/api/events.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { isProvisional, type ChannelId, type MessageId, type UserId } from '../../src-shared/ids.ts'
import type { HistoryPause } from '../../src-shared/model/account.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { readCursor } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { hasMessagesOf } from '../store/lost-channels.ts'
import type { ListedObject, MadeKind } from '../store/objects.ts'
import { isInProvisionalChannel } from '../store/provisional.ts'
import { settleMissing } from '../store/missing.ts'
import { doubtTopics } from '../store/topics-in-doubt.ts'
import { createAlarm } from '../../src-shared/clock/alarm.ts'
import { createApplier, type Applied } from './apply.ts'
import { fetchSubscribers } from './subscribers.ts'
import { fetchTopics } from './topics.ts'
import { fetchPage, type BackfillParts } from './backfill.ts'
import { fetchMessages } from './fetch-messages.ts'
import { createRequestsInFlight } from './requests-in-flight.ts'
import { createComparison } from './comparison.ts'
import { createFeedCheck, type ShownFeed } from './feed-check.ts'
import { createHistory, ordinaryHistoryMs, type History } from './history.ts'
import { createJoined } from './joined.ts'
import { createLink, type LinkState } from './link.ts'
import { createMessageCheck } from './message-check.ts'
import { createMissing } from './missing.ts'
import { createMovedMeanwhile } from './moved-meanwhile.ts'
import { createDeletions } from './deleted-messages.ts'
import { createEmptiedTopics } from './emptied-topics.ts'
import { createOutdatedWords } from './outdated-words.ts'
import { createPace } from './pace.ts'
import { startPresence } from './presence.ts'
import { startQueueLoop, type QueueLoop } from './queue-loop.ts'
import { register } from './registration.ts'
import type { ServerTime } from './server-time.ts'
import { startTypingExpiry } from './typing.ts'
import { createUnheard } from './unheard.ts'

export type { ShownFeed }

/** The sync's calls to the rest of the account. Those that get a `db` run inside its transactions. */
export interface SyncHooks {
  /**
   * Last in the transaction: reapplies the local effects of waiting changes. The transaction has a fetched page, a single
   * event, or several events or a snapshot.
   */
  reapply(db: WritableDb, data: 'page' | 'event' | 'events'): void
  draftsEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  /** The server was switched to keep drafts from now on, or has dropped them all. */
  draftsSwitched(db: WritableDb, areKept: boolean): void
  /** A registration is requested: what the server accepts from now on may be missing in the next snapshot. */
  registering(): void
  /** The drafts on the server, or null if it keeps none; `mayBeThere`: whether an unreadable row may be that draft. */
  draftsSnapshot(
    db: WritableDb,
    drafts: readonly ApiDraft[] | null,
    mayBeThere: (serverId: number) => boolean,
  ): void
  ownMessageArrived(db: WritableDb, localId: string, messageId: number): void
  /** Somebody made a scheduled message, a reminder or a snippet: the event shows it as it was made. */
  objectMade(db: WritableDb, kind: MadeKind, one: ListedObject): void
  /** Somebody created a channel, folder or group: the cache has it as it was created, before later events change it. */
  creationHeard(db: WritableDb): void
  /** The whole topic was renamed or moved to another channel. */
  topicMoved(db: WritableDb, from: Conversation, to: Conversation): void
  /** Messages were deleted, or the person may not read them any more. */
  messagesDeleted(db: WritableDb, ids: readonly number[]): void
  /** Called after the commit: messages that waited until their topic was found may be sent. */
  topicsFound(): void
  /**
   * Called after the commits of all events that were received together, so that it is known which messages were read or
   * deleted meanwhile; only for messages of a live queue.
   */
  messagesArrived(messageIds: readonly number[]): void
  linkChanged(link: LinkState): void
}

/**
 * Keeps the cache equal to the server's state.
 *
 * 1. Events and the queue's cursor are committed together; the cursor with the last part of an event that has parts.
 * 2. If a queue exists at the start, sync continues with its events; nothing is registered or fetched again.
 * 3. An event that cannot be applied is set aside with its reason and never stops the others twice.
 * 4. A fetched page never overwrites the effect of a later event.
 */
export interface Sync {
  readonly link: LinkState
  readonly queueId: string | null
  /** Cuts every wait short. */
  wake(): void
  /** Fetches a page before the message, or the newest page if null; returns how many messages it had. */
  loadOlder(narrow: Narrow, before: MessageId | null): Promise<number>
  /** Fetches a page after the message; returns how many messages it had. */
  loadNewer(narrow: Narrow, after: MessageId): Promise<number>
  /** Fetches the names of a channel's topics; returns their number. */
  loadTopics(channelId: ChannelId): Promise<number>
  /** Fetches the subscribers of a channel; returns their number. */
  loadSubscribers(channelId: ChannelId): Promise<number>
  /**
   * Fetches these messages anew, whatever is here of them, and settles them in `store/missing`; registers anew if none
   * are named.
   */
  refresh(messageIds: readonly number[]): Promise<void>
  /** The server changed these messages: answers under way must not overwrite them. */
  outdate(messageIds: readonly number[]): void
  /** Resolves once everything that the server's queue holds now has been applied; rejects if that failed. */
  catchUp(): Promise<void>
  /** The person is here from now on, for presence. */
  personCame(): void
  /** Asks where the topics in doubt are, as soon as the server can be reached. */
  findTopics(): void
  /**
   * Compares what is on screen with the server, as far as it may have changed while events were missed. Feeds of
   * channels that the person is not in, from which no events come, are fetched again and again.
   */
  shown(onScreen: Shown): void
  /** The person changed how much history they want. */
  historyDepthChanged(): void
}

/** What windows show: the messages of feeds, searches and lists, and the feeds themselves. */
export interface Shown {
  readonly messageIds: readonly number[]
  readonly feeds: readonly ShownFeed[]
}

/** What sync needs from the other parts of its account. */
export interface SyncParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly serverTime: ServerTime
  readonly hooks: SyncHooks
  readonly signal: AbortSignal
  /** How far back history is fetched in the background, in milliseconds; null: everything. Ninety days by default. */
  readonly historyMs?: () => number | null
  /** Whether the person is here, for presence; false by default. */
  readonly isActive?: () => boolean
  /** The machine's scarce resource, for which history waits; none by default. */
  readonly sparing?: () => HistoryPause | null
  log(line: string): void
}

/** Starts the sync of one account; after `signal` aborts, it neither writes nor calls back. */
export function startSync(parts: SyncParts): Sync {
  const { store, connection, clock, ownUserId, serverTime, hooks, signal, log } = parts
  const link = createLink(clock, signal, (state) => hooks.linkChanged(state))
  const alarm = createAlarm(clock, signal)
  const requestsInFlight = createRequestsInFlight()
  /**
   * Runs another part's share of a transaction in a savepoint. If that part fails, the server's data is still written:
   * otherwise one broken row of the outbox would keep the account from its messages for ever.
   */
  const share = (what: string, work: (db: WritableDb) => void) => {
    try {
      store.write(work)
    } catch (error) {
      if (failureOf(error).kind === 'device') throw error
      log(`sync: ${what}: ${failureOf(error).message}`)
    }
  }
  const reapply = (data: 'page' | 'event' | 'events') =>
    share('waiting changes could not be put back', (db) => hooks.reapply(db, data))
  const backfill: BackfillParts = {
    store,
    connection,
    clock,
    ownUserId,
    signal,
    requestsInFlight,
    reapply: () => reapply('page'),
  }
  const typing = startTypingExpiry({ store, clock, signal, log })
  const { isActive = () => false } = parts
  const presence = startPresence({ store, connection, clock, signal, link, serverTime, isActive, log })
  const retrying = { ...backfill, link, alarm }
  const movedMeanwhile = createMovedMeanwhile({
    ...retrying,
    topicMoved: (db, from, to) =>
      share('what was written could not follow its topic', () => hooks.topicMoved(db, from, to)),
    decided: () => hooks.topicsFound(),
    log,
  })
  const background = {
    ...retrying,
    pace: createPace(alarm),
    sparing: parts.sparing ?? (() => null),
    log,
  }
  const missing = createMissing(background)
  const comparison = createComparison({ ...background, isBusy: () => history.isRunning })
  const unheard = createUnheard(background)
  const feedCheck = createFeedCheck(background)
  const messageCheck = createMessageCheck(background)
  const joined = createJoined(background)
  const outdatedWords = createOutdatedWords(background)
  outdatedWords.resume()
  const emptiedTopics = createEmptiedTopics(background)
  const deletions = createDeletions({ ...background, done: () => emptiedTopics.resume() })
  deletions.resume()
  const history: History = createHistory({
    ...background,
    historyMs: parts.historyMs ?? (() => ordinaryHistoryMs),
    unreadWanted: () => missing.resume(),
    done: () => comparison.resume(),
  })

  /** Runs work beside the poll. If it fails, the missing history shows as a gap until a later fetch succeeds. */
  const inBackground = (what: string, work: Promise<unknown>) => {
    work.catch((error: unknown) => {
      if (!signal.aborted) log(`sync: ${what}: ${failureOf(error).message}`)
    })
  }

  const afterCommit = (applied: Applied) => {
    if (applied.needsRegistration) loop.registerAnew()
    outdatedWords.resume()
    deletions.resume()
    emptiedTopics.resume()
    movedMeanwhile.resume()
    if (applied.joined.size > 0) {
      joined.fetch(applied.joined)
      // What was here of them may have changed meanwhile.
      if ([...applied.joined].some((id) => hasMessagesOf(store.db, id))) {
        messageCheck.startOver()
        comparison.startOver()
      }
    }
    typing.reschedule()
  }

  const announce = (arrived: readonly number[]) => {
    if (arrived.length === 0 || signal.aborted) return
    try {
      hooks.messagesArrived(arrived)
    } catch (error) {
      // The messages are committed: a failing notice must not look like a failing event.
      log(`sync: new messages could not be announced: ${failureOf(error).message}`)
    }
  }

  const applier = createApplier({
    store,
    clock,
    ownUserId,
    signal,
    requestsInFlight,
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
        reapply('events')
      }
      hooks.registering()
      await register({
        store,
        connection,
        clock,
        signal,
        ownUserId,
        serverTime,
        reapply: () => reapply('events'),
        finish,
      })
      history.startOver()
    },
    async apply(events) {
      const arrived: number[] = []
      try {
        await applier.apply(events, (applied) => {
          arrived.push(...applied.arrived)
          afterCommit(applied)
        })
      } finally {
        // Also if an event could not be applied: those before it are committed.
        announce(arrived)
      }
    },
    heard(cameOnline) {
      if (cameOnline) {
        // Whoever waits before another attempt need not wait longer.
        alarm.ring()
        presence.cameOnline()
      }
      joined.resume()
      emptiedTopics.resume()
      movedMeanwhile.resume()
      missing.resume()
      history.resume()
      comparison.resume()
      unheard.resume()
    },
  })
  inBackground('the loop ended', loop.finished)

  return {
    get link() {
      return link.state
    },
    get queueId() {
      return readCursor(store.db).queueId
    },
    wake: () => alarm.ring(),
    loadOlder: async (narrow, before) =>
      isInProvisionalChannel(narrow)
        ? 0
        : fetchPage(backfill, narrow, before === null ? { kind: 'newest' } : { kind: 'before', id: before }),
    loadNewer: async (narrow, after) =>
      isInProvisionalChannel(narrow) ? 0 : fetchPage(backfill, narrow, { kind: 'after', id: after }),
    loadTopics: async (channelId) => (isProvisional(channelId) ? 0 : fetchTopics(backfill, channelId)),
    loadSubscribers: async (channelId) =>
      isProvisional(channelId) ? 0 : fetchSubscribers(backfill, channelId),
    outdate: (messageIds) => requestsInFlight.touch(messageIds),
    async refresh(messageIds) {
      if (messageIds.length > 0) {
        await fetchMessages(backfill, messageIds)
        if (!signal.aborted) store.write((db) => settleMissing(db, messageIds))
      } else {
        loop.registerAnew()
        loop.hurry()
      }
    },
    catchUp: () => loop.catchUp(),
    personCame: () => presence.personCame(),
    findTopics: () => movedMeanwhile.resume(),
    shown({ messageIds, feeds }) {
      unheard.shown(feeds.map(({ narrow }) => narrow))
      feedCheck.shown(feeds)
      messageCheck.shown(messageIds)
    },
    historyDepthChanged() {
      history.startOver()
      if (link.state.status === 'online') history.resume()
    },
  }
}
