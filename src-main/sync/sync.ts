import type { EventPayload } from '../../src-shared/api/events.ts'
import { parseEvent } from '../../src-shared/api/events.ts'
import type { ApiDraft } from '../../src-shared/api/drafts.ts'
import { queue } from '../../src-shared/api/queue.ts'
import type { Snapshot } from '../../src-shared/api/snapshot.ts'
import { users } from '../../src-shared/api/users.ts'
import { FailureError, failureOf, type Failure } from '../../src-shared/failure.ts'
import type { MessageId, UserId } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { retryDelayMs } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { advanceCursor, forgetQueue, readCursor, setAside } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { oldestSentAt } from '../store/messages.ts'
import { rangesOf } from '../store/ranges.ts'
import { organizationNumber } from '../store/settings.ts'
import { expireTyping, putPresence } from '../store/users.ts'
import { applyEvent } from './appliers/index.ts'
import type { ApplyContext } from './appliers/context.ts'
import { fetchMessages, fetchPage, liveStretch, type BackfillParts } from './backfill.ts'
import { writeSnapshot } from './snapshot.ts'

/** How the account stands with its server; see `SyncState` for what screens make of it. */
export interface LinkState {
  readonly status: 'connecting' | 'online' | 'offline' | 'unreachable' | 'signed-out' | 'incompatible'
  /** Epoch milliseconds. */
  readonly since: number
  readonly attempt: number
  readonly nextAttemptAt: number | null
  /** One sentence for people, or null. */
  readonly problem: string | null
  /** History under way, 0 to 1, or null. */
  readonly progress: number | null
}

/** What the sync tells the rest of the account. The first four run inside its transactions. */
export interface SyncHooks {
  reapply(db: WritableDb): void
  draftsEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  draftsSnapshot(db: WritableDb, drafts: readonly ApiDraft[] | null): void
  ownMessageArrived(db: WritableDb, localId: string, messageId: number): void
  /** After the commit; messages of a live queue only. */
  messagesArrived(messageIds: readonly number[]): void
  linkChanged(link: LinkState): void
}

/**
 * Keeps the cache equal to what the server says.
 *
 * ```
 *  register ─► write snapshot ─► poll ─┬─ events ───────────────► batch and cursor (one write) ─┬─ done ─► poll
 *     ▲                                ├─ offline · 5xx · 429 ──► wait ─► poll                  │
 *     │                                └─ queue lost ───────────► register                      │
 *     └──────────────────────── wait ◄──── an event could not be applied ◄──────────────────────┘
 * ```
 *
 * 1. A batch of events and the queue's cursor are committed together.
 * 2. A start with a queue goes on with its events; nothing is registered or fetched again.
 * 3. An event that cannot be used is set aside with its reason and never stops the others twice.
 */
export interface Sync {
  readonly link: LinkState
  readonly queueId: string | null
  /** Cuts every wait short. */
  wake(): void
  /** Fetches a page before the message, or the newest when null; answers how many came. */
  loadOlder(narrow: Narrow, before: MessageId | null): Promise<number>
  loadNewer(narrow: Narrow, after: MessageId): Promise<number>
  /** Fetches these messages anew, or registers anew when none are named. */
  refresh(messageIds: readonly number[]): Promise<void>
  /** Whether the person is at the machine, for presence. */
  reportActivity(isActive: boolean): void
}

export interface SyncParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly hooks: SyncHooks
  readonly signal: AbortSignal
  log(line: string): void
}

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
} as const

const fetchedTypes = [
  'realm',
  'realm_user',
  'realm_emoji',
  'subscription',
  'stream',
  'channel_folders',
  'user_topic',
  'user_settings',
  'muted_users',
  'presence',
  'drafts',
  'message',
  'update_message_flags',
  'starred_messages',
  'recent_private_conversations',
]

/** A drop shorter than this is not worth a word. */
const quietDropMs = 4_000
const presenceMs = 60_000
/** How far back history is fetched unasked. */
const historyMs = 90 * 24 * 60 * 60 * 1_000
const pollMarginMs = 15_000

export function startSync(parts: SyncParts): Sync {
  const { store, connection, clock, ownUserId, hooks, signal } = parts
  let link: LinkState = {
    status: 'connecting',
    since: clock.now(),
    attempt: 0,
    nextAttemptAt: null,
    problem: null,
    progress: null,
  }
  let kick = new AbortController()
  let isActive = true
  let needsRegistration = false
  let needsHistory = true
  let firstFailureAt: number | null = null
  /** Types of events that already made us register anew; a second time they are set aside. */
  const troublesome = new Set<string>()

  const setLink = (change: Partial<LinkState>) => {
    const status = change.status ?? link.status
    link = { ...link, ...change, since: status === link.status ? link.since : clock.now() }
    hooks.linkChanged(link)
  }

  const wake = () => {
    kick.abort()
    kick = new AbortController()
  }
  const pause = (ms: number) => clock.wait(ms, AbortSignal.any([signal, kick.signal]))

  const backfill: BackfillParts = {
    store,
    connection,
    clock,
    ownUserId,
    signal,
    reapply: (db) => hooks.reapply(db),
  }

  const register = async () => {
    const before = readCursor(store.db)
    const snapshot = await connection.call(
      queue.registerQueue,
      {
        apply_markdown: true,
        client_gravatar: false,
        include_subscribers: before.featureLevel >= 412 ? 'partial' : 'true',
        slim_presence: true,
        client_capabilities: capabilities,
        fetch_event_types: fetchedTypes,
      },
      { signal, timeoutMs: 120_000 },
    )
    if (signal.aborted) return
    assertUsable(snapshot)
    store.write((db) => {
      writeSnapshot(db, snapshot, before, { ownUserId, now: clock.now() })
      hooks.draftsSnapshot(db, snapshot.drafts ?? null)
      hooks.reapply(db)
    })
    needsRegistration = false
    needsHistory = true
  }

  const poll = async () => {
    const cursor = readCursor(store.db)
    if (cursor.queueId === null) return
    // The first answer after trouble comes at once, so that everybody knows that the server is back.
    const isFirst = link.status !== 'online'
    const answer = await connection.call(
      queue.getEvents,
      {
        queue_id: cursor.queueId,
        last_event_id: cursor.lastEventId,
        ...(isFirst ? { dont_block: true } : {}),
      },
      { signal: AbortSignal.any([signal, kick.signal]), timeoutMs: cursor.longpollTimeoutMs + pollMarginMs },
    )
    if (signal.aborted) return
    applyBatch(answer.events)
    online()
  }

  const applyBatch = (events: readonly { id: number; type: string }[]) => {
    const last = events.at(-1)
    if (last === undefined) return
    const context: ApplyContext = {
      ownUserId,
      generation: readCursor(store.db).generation,
      now: clock.now(),
      typingExpiryMs:
        organizationNumber(store.db, 'server_typing_started_expiry_period_milliseconds') ?? 45_000,
      draftsEvent: (db, payload) => hooks.draftsEvent(db, payload),
      ownMessageArrived: (db, id, messageId) => hooks.ownMessageArrived(db, id, messageId),
      missing: new Set(),
      arrived: [],
      needsRegistration: false,
    }
    let current: { id: number; type: string } = last
    try {
      store.write((db) => {
        for (const raw of events) {
          current = raw
          applyOne(db, raw, context)
        }
        hooks.reapply(db)
        // Last: an event counts as seen only together with its effect.
        advanceCursor(db, last.id, clock.now())
      })
    } catch (error) {
      if (failureOf(error).kind === 'device') throw error
      throw new EventTrouble(current, error)
    }
    if (context.needsRegistration) needsRegistration = true
    if (context.arrived.length > 0) hooks.messagesArrived(context.arrived)
    if (context.missing.size > 0) {
      fetchMessages(backfill, [...context.missing].slice(0, 1_000)).catch((error: unknown) => {
        parts.log(`sync: messages that moved here could not be fetched: ${failureOf(error).message}`)
      })
    }
    scheduleTyping()
  }

  const applyOne = (db: WritableDb, raw: { id: number; type: string }, context: ApplyContext) => {
    const parsed = parseEvent(raw)
    if (parsed.kind === 'unknown') {
      parts.log(`sync: skipped an event of the unknown type ${parsed.type}`)
      return
    }
    if (parsed.kind === 'malformed') {
      if (!troublesome.has(parsed.type)) throw new Error(`malformed: ${parsed.reason}`)
      setAside(db, parsed.type, parsed.reason, raw, clock.now())
      return
    }
    if (!troublesome.has(raw.type)) {
      applyEvent(db, parsed.event, context)
      return
    }
    // It failed before: in a savepoint of its own, so that a second failure costs only this event.
    try {
      store.write((inner) => applyEvent(inner, parsed.event, context))
    } catch (error) {
      if (failureOf(error).kind === 'device') throw error
      setAside(db, raw.type, failureOf(error).message, raw, clock.now())
    }
  }

  const online = () => {
    firstFailureAt = null
    if (link.status !== 'online')
      setLink({ status: 'online', attempt: 0, nextAttemptAt: null, problem: null })
  }

  const failed = async (failure: Failure, attempt: number) => {
    const now = clock.now()
    firstFailureAt ??= now
    const waitMs =
      failure.kind === 'rateLimited' ? failure.retryAfterMs : retryDelayMs(attempt, () => clock.random())
    const isQuiet =
      link.status === 'online' && failure.kind === 'offline' && now - firstFailureAt < quietDropMs
    if (isQuiet) {
      await pause(1_000)
      return
    }
    setLink({
      status: failure.kind === 'offline' ? 'offline' : 'unreachable',
      attempt,
      nextAttemptAt: now + waitMs,
      problem: failure.message,
    })
    await pause(waitMs)
  }

  const run = async () => {
    let attempt = 0
    while (!signal.aborted) {
      try {
        if (needsRegistration || readCursor(store.db).queueId === null) {
          await register()
          if (signal.aborted) return
          online()
        } else await poll()
        attempt = 0
        historySoon()
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof EventTrouble) {
          parts.log(`sync: an event of type ${error.event.type} could not be applied: ${error.message}`)
          troublesome.add(error.event.type)
          store.write((db) => setAside(db, error.event.type, error.message, error.event, clock.now()))
          needsRegistration = true
          attempt++
          await pause(retryDelayMs(attempt, () => clock.random()))
          continue
        }
        const failure = failureOf(error)
        switch (failure.kind) {
          case 'rejected':
            if (failure.code === 'BAD_EVENT_QUEUE_ID') {
              store.write((db) => forgetQueue(db))
              break
            }
            attempt++
            await failed(failure, attempt)
            break
          case 'unauthorized':
            setLink({ status: 'signed-out', nextAttemptAt: null, problem: failure.message })
            await pause(24 * 60 * 60 * 1_000)
            break
          case 'malformed':
            attempt++
            if (readCursor(store.db).generation === 0) {
              setLink({ status: 'incompatible', attempt, nextAttemptAt: null, problem: failure.message })
              await pause(60_000)
            } else await failed(failure, attempt)
            break
          case 'offline':
          case 'rateLimited':
          case 'serverFault':
            // A wake cuts the poll short; that is not the server's doing.
            if (failure.kind === 'offline' && failure.mayHaveArrived && link.status === 'online') {
              firstFailureAt ??= clock.now()
              if (clock.now() - firstFailureAt < quietDropMs) {
                await pause(500)
                break
              }
            }
            attempt++
            await failed(failure, attempt)
            break
          case 'device':
            setLink({ status: 'unreachable', nextAttemptAt: clock.now() + 10_000, problem: failure.message })
            await pause(10_000)
            break
          case 'bug':
            parts.log(`sync: ${error instanceof Error ? (error.stack ?? error.message) : failure.message}`)
            attempt++
            await failed(failure, attempt)
            break
        }
      }
    }
  }

  let historyRuns = false
  const historySoon = () => {
    if (!needsHistory || historyRuns) return
    needsHistory = false
    historyRuns = true
    fetchHistory()
      .catch((error: unknown) => {
        parts.log(`sync: history: ${failureOf(error).message}`)
        needsHistory = true
      })
      .finally(() => {
        historyRuns = false
        setLink({ progress: null })
      })
  }

  /** The newest messages first, then as far back as is kept unasked, in small steps. */
  const fetchHistory = async () => {
    const combined: Narrow = { kind: 'combined' }
    if (liveStretch(store, combined) === null) await fetchPage(backfill, combined, { kind: 'newest' })
    for (const narrow of [{ kind: 'mentions' }, { kind: 'starred' }] as const) {
      if (!signal.aborted && liveStretch(store, narrow) === null)
        await fetchPage(backfill, narrow, { kind: 'newest' })
    }
    const start = clock.now()
    for (;;) {
      const stretch = liveStretch(store, combined)
      if (signal.aborted || stretch === null || stretch.reachesBeginning || link.status !== 'online') return
      const reached = oldestSentAt(store.db, stretch.oldestId)
      if (reached !== null && start - reached > historyMs) return
      setLink({ progress: reached === null ? 0 : Math.min(1, (start - reached) / historyMs) })
      await clock.wait(50, signal)
      if (signal.aborted) return
      await fetchPage(backfill, combined, { kind: 'before', id: stretch.oldestId })
    }
  }

  let typingTimer: AbortController | null = null
  const scheduleTyping = () => {
    typingTimer?.abort()
    const next = store.write((db) => expireTyping(db, clock.now()))
    if (next === null) return
    typingTimer = new AbortController()
    const own = typingTimer
    void clock.wait(next - clock.now() + 50, AbortSignal.any([signal, own.signal])).then(() => {
      if (!signal.aborted && !own.signal.aborted) scheduleTyping()
    })
  }

  const keepPresent = async () => {
    while (!signal.aborted) {
      if (link.status === 'online') {
        try {
          const answer = await connection.call(
            users.updatePresence,
            {
              status: isActive ? 'active' : 'idle',
              ping_only: false,
              new_user_input: isActive,
              slim_presence: true,
            },
            { signal },
          )
          if (signal.aborted) return
          writePresences(answer.presences ?? {})
        } catch (error) {
          // The poll notices and says what is wrong; presence only goes without.
          if (failureOf(error).kind === 'bug') parts.log(`sync: presence: ${failureOf(error).message}`)
        }
      }
      await clock.wait(presenceMs, signal)
    }
  }

  const writePresences = (presences: Record<string, unknown>) => {
    store.write((db) => {
      for (const [id, value] of Object.entries(presences)) {
        if (typeof value !== 'object' || value === null || !/^\d+$/.test(id)) continue
        const active = 'active_timestamp' in value ? Number(value.active_timestamp) : 0
        const idle = 'idle_timestamp' in value ? Number(value.idle_timestamp) : 0
        if (Number.isFinite(active) && Number.isFinite(idle))
          putPresence(db, Number(id), active * 1000, idle * 1000)
      }
    })
  }

  const endless = (name: string, work: Promise<void>) => {
    work.catch((error: unknown) => {
      if (!signal.aborted) parts.log(`sync: ${name} ended: ${failureOf(error).message}`)
    })
  }
  endless('poll', run())
  endless('presence', keepPresent())

  return {
    get link() {
      return link
    },
    get queueId() {
      return readCursor(store.db).queueId
    },
    wake,
    async loadOlder(narrow, before) {
      const ranges = rangesOf(store.db, narrowKey(narrow))
      const hasLive = ranges.some(({ isLive }) => isLive)
      if (before === null || !hasLive) {
        const loaded = await fetchPage(backfill, narrow, { kind: 'newest' })
        if (before === null) return loaded
      }
      return fetchPage(backfill, narrow, { kind: 'before', id: before })
    },
    loadNewer: (narrow, after) => fetchPage(backfill, narrow, { kind: 'after', id: after }),
    async refresh(messageIds) {
      if (messageIds.length > 0) await fetchMessages(backfill, messageIds)
      else {
        needsRegistration = true
        wake()
      }
    },
    reportActivity(value) {
      isActive = value
    },
  }
}

/** An event that could not be applied, with the event. */
class EventTrouble extends Error {
  readonly event: { id: number; type: string }

  constructor(event: { id: number; type: string }, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.event = event
  }
}

function assertUsable(snapshot: Snapshot): void {
  if (snapshot.queue_id !== null) return
  throw new FailureError({ kind: 'malformed', message: 'The server gave no event queue to this account.' })
}
