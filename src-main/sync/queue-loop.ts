import { readQueueRow, type QueueRow } from '../../src-shared/api/events.ts'
import { queue } from '../../src-shared/api/queue.ts'
import { failureOf, isTransient, type Failure } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { retryDelayMs } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { forgetQueue, noteTrouble, readCursor, troubleSince } from '../store/cursor.ts'
import type { Store } from '../store/database.ts'
import type { Alarm } from './alarm.ts'
import { EventTrouble } from './apply.ts'
import type { Link } from './link.ts'

/** A drop shorter than this is not worth a word. */
const quietDropMs = 4_000
const quietRetryMs = 1_000
/** Beside the duration, since a clock may be set back. */
const quietTries = 4
/** How much longer than the server's own time-out an answer is waited for. */
const pollMarginMs = 15_000
/** A server, or a proxy before it, that has nothing to say and says so sooner is left alone for as long. */
const leastPollMs = 2_000
const incompatibleRetryMs = 5 * 60_000
const deviceRetryMs = 10_000
/** For how long an event that made us register anew is remembered, across restarts of the program. */
const troubleMemoryMs = 60 * 60_000

/** Codes that mean that this account is no longer let in, whatever status they come with. */
const signedOutCodes = new Set(['USER_DEACTIVATED', 'REALM_DEACTIVATED', 'INVALID_API_KEY'])

const noAttempt = { attempt: 0, lastAttemptAt: null, nextAttemptAt: null } as const

export interface QueueLoopParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly link: Link
  readonly alarm: Alarm
  register(): Promise<void>
  apply(events: readonly QueueRow[]): Promise<void>
  /** After each answer of the server that was understood and written; `cameOnline` after the first since trouble. */
  heard(cameOnline: boolean): void
  log(line: string): void
}

export interface QueueLoop {
  readonly finished: Promise<void>
  /** Before the next poll. */
  registerAnew(): void
  /** Resolves once everything that the queue holds now has been applied; rejects when it could not be fetched. */
  hearOut(): Promise<void>
  /** Types of which an event lately made the account register anew. */
  skippedTypes(): ReadonlySet<string>
}

/**
 * Registers, polls, applies, polls … until the account ends.
 *
 * ```
 *  register ─► write snapshot ─► poll ─┬─ events ───────────────► batch and cursor (one write) ─┬─ done ─► poll
 *     ▲                                ├─ offline · 5xx · 429 ──► wait ─► poll                  │
 *     │                                └─ queue lost ───────────► register                      │
 *     └──────────────────────── wait ◄──── an event could not be applied ◄──────────────────────┘
 * ```
 */
export function startQueueLoop(parts: QueueLoopParts): QueueLoop {
  const { store, connection, clock, signal, link, alarm } = parts
  let isRegistrationDue = false
  /** Failures since the server was last heard. */
  let attempts = 0
  /** Queues lost one after another without an answer in between. */
  let lostQueues = 0
  let drop: { readonly at: number; tries: number } | null = null
  /** Aborted once somebody wants an answer sooner, also while the attempt is under way that then fails. */
  let rung = alarm.signal
  /** Who waits for the answer of a poll that begins from now on. */
  let listeners: { readonly heard: () => void; readonly failed: (error: unknown) => void }[] = []

  const trouble = () => {
    const now = clock.now()
    const known = troubleSince(store.db, now - troubleMemoryMs)
    const delay = known.count === 0 ? 0 : retryDelayMs(known.count, () => clock.random())
    return { types: known.types, waitMs: Math.min(delay, Math.max(0, known.last + delay - now)) }
  }

  const heard = () => {
    attempts = 0
    drop = null
    const cameOnline = link.state.status !== 'online'
    link.change({ status: 'online', isLive: true, ...noAttempt, problem: null })
    parts.heard(cameOnline)
  }

  const registerNow = async () => {
    // Kept in the file: neither a restart of the program nor of the account turns trouble into a storm.
    const { waitMs } = trouble()
    if (waitMs > 0) await alarm.pause(waitMs)
    if (signal.aborted) return
    rung = alarm.signal
    // What is asked for from here on may be newer than the snapshot that this one brings.
    isRegistrationDue = false
    try {
      await parts.register()
    } catch (error) {
      isRegistrationDue = true
      throw error
    }
    if (signal.aborted) return
    heard()
    const told = listeners
    listeners = []
    for (const listener of told) listener.heard()
  }

  const poll = async (queueId: string) => {
    const { lastEventId, longpollTimeoutMs } = readCursor(store.db)
    // After trouble the first answer comes at once, so that everybody knows that the server is back.
    const asked = listeners
    listeners = []
    const isFirst = link.state.status !== 'online' || drop !== null || asked.length > 0
    rung = alarm.signal
    const begun = clock.now()
    let events: readonly QueueRow[]
    try {
      const answer = await connection.call(
        queue.getEvents,
        { queue_id: queueId, last_event_id: lastEventId, ...(isFirst ? { dont_block: true } : {}) },
        { signal: rung, timeoutMs: longpollTimeoutMs + pollMarginMs },
      )
      events = answer.events.map(readQueueRow)
    } catch (error) {
      // Cut short by us: the next poll gets the same events.
      if (rung.aborted) {
        listeners = [...asked, ...listeners]
        return
      }
      for (const listener of asked) listener.failed(error)
      throw error
    }
    if (signal.aborted) return
    try {
      await parts.apply(events)
    } catch (error) {
      for (const listener of asked) listener.failed(error)
      throw error
    }
    if (signal.aborted) return
    lostQueues = 0
    heard()
    for (const listener of asked) listener.heard()
    // Also when all of it was known before: an answer that somebody keeps is given over and over.
    const isIdle = !isFirst && events.every(({ id }) => id === null || id <= lastEventId)
    if (isIdle && clock.now() - begun < leastPollMs) await alarm.pause(leastPollMs)
  }

  const waitFor = async (status: 'offline' | 'unreachable' | 'incompatible', problem: string, ms: number) => {
    const now = clock.now()
    link.change({
      status,
      attempt: attempts,
      lastAttemptAt: now,
      nextAttemptAt: now + ms,
      problem,
      ...(drop === null ? {} : { since: Math.min(drop.at, now) }),
    })
    drop = null
    await clock.wait(ms, rung)
  }

  /** How long to wait without a word, or null when the failure has to be shown. */
  const quietWait = (failure: Failure): number | null => {
    if (!isTransient(failure) || link.state.status !== 'online') return null
    drop ??= { at: clock.now(), tries: 0 }
    drop.tries++
    if (drop.tries > quietTries || clock.now() - drop.at >= quietDropMs) return null
    if (failure.kind !== 'rateLimited') return quietRetryMs
    return failure.retryAfterMs < quietDropMs ? failure.retryAfterMs : null
  }

  const loseQueue = async (failure: Failure & { kind: 'rejected' }) => {
    if (failure.code !== 'BAD_EVENT_QUEUE_ID') parts.log(`sync: the queue is refused: ${failure.message}`)
    drop = null
    store.write((db) => forgetQueue(db))
    lostQueues++
    if (lostQueues > 1) await alarm.pause(retryDelayMs(lostQueues - 1, () => clock.random()))
  }

  const fail = async (failure: Failure, isPolling: boolean) => {
    const quietMs = quietWait(failure)
    if (quietMs !== null) {
      await clock.wait(quietMs, rung)
      return
    }
    attempts++
    const backoffMs = retryDelayMs(attempts, () => clock.random())
    switch (failure.kind) {
      case 'rejected':
        if (signedOutCodes.has(failure.code)) await signOut(failure.message)
        else if (isPolling) await loseQueue(failure)
        else await waitFor('unreachable', failure.message, backoffMs)
        break
      case 'unauthorized':
        await signOut(failure.message)
        break
      case 'malformed':
        // A server that was understood before is still one: the answer is a proxy's, or a page to sign in to a network.
        if (readCursor(store.db).generation > 0) await waitFor('unreachable', failure.message, backoffMs)
        else await waitFor('incompatible', failure.message, incompatibleRetryMs)
        break
      case 'offline':
        await waitFor('offline', failure.message, backoffMs)
        break
      case 'rateLimited':
        await waitFor('unreachable', failure.message, failure.retryAfterMs)
        break
      case 'serverFault':
        await waitFor('unreachable', failure.message, backoffMs)
        break
      case 'device':
        await waitFor('unreachable', failure.message, deviceRetryMs)
        break
      case 'bug':
        await waitFor('unreachable', t.failures.ours, backoffMs)
        break
    }
  }

  /** The key is refused: asking again would only annoy. Everything that is here stays readable. */
  const signOut = async (problem: string) => {
    drop = null
    link.change({ status: 'signed-out', ...noAttempt, problem })
    await alarm.untilRung()
  }

  const handle = async (error: unknown, isPolling: boolean) => {
    link.change({ isLive: false })
    if (error instanceof EventTrouble) {
      const { event, message } = error
      parts.log(`sync: an event of type ${event.type} could not be applied, registering anew: ${message}`)
      store.write((db) => noteTrouble(db, event.type, message, event, clock.now()))
      return
    }
    const failure = failureOf(error)
    if (failure.kind === 'bug')
      parts.log(`sync: ${(error instanceof Error && error.stack) || failure.message}`)
    await fail(failure, isPolling)
  }

  const run = async () => {
    while (!signal.aborted) {
      const { queueId } = readCursor(store.db)
      const isPolling = queueId !== null && !isRegistrationDue
      try {
        if (isPolling) await poll(queueId)
        else await registerNow()
      } catch (error) {
        if (signal.aborted) return
        try {
          await handle(error, isPolling)
        } catch (second) {
          // The disk does not even take a note of what went wrong.
          if (signal.aborted) return
          await waitFor('unreachable', failureOf(second).message, deviceRetryMs)
        }
      }
    }
  }

  return {
    finished: run(),
    registerAnew() {
      isRegistrationDue = true
    },
    hearOut: () =>
      new Promise((heard, failed) => {
        listeners.push({ heard, failed })
        alarm.ring()
      }),
    skippedTypes: () => trouble().types,
  }
}
