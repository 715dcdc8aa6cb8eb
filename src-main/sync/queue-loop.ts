import { isOfDeactivated } from '../../src-shared/api/encoding.ts'
import { readQueueRow, type QueueRow } from '../../src-shared/api/events.ts'
import { queue } from '../../src-shared/api/queue.ts'
import { minuteMs, hourMs } from '../../src-shared/durations.ts'
import { FailureError, failureOf, logTextOf, isTransient, type Failure } from '../../src-shared/failure.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { retryDelayMs } from '../api/backoff.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { forgetQueue, noteTrouble, readCursor, troubleSince } from '../store/cursor.ts'
import type { Store } from '../store/database.ts'
import { createAlarm, type Alarm } from '../../src-shared/clock/alarm.ts'
import { EventTrouble } from './apply.ts'
import type { Link } from './link.ts'

/** A drop shorter than this is not shown. */
const quietDropMs = 4_000
const quietRetryMs = 1_000
/** Limits a quiet drop in addition to its duration, since the clock may be set back. */
const quietTries = 4
/** How much longer than the server's own time-out a poll waits for the answer. */
const pollMarginMs = 15_000
/** The least time between polls: a server, or a proxy, may return empty answers sooner. */
const leastPollMs = 2_000
const incompatibleRetryMs = 5 * minuteMs
const deviceRetryMs = 10_000
/** How long an event that made the account register anew is remembered, across restarts of the program. */
const troubleMemoryMs = hourMs

const noAttempt = { attempt: 0, lastAttemptAt: null, nextAttemptAt: null } as const

/** What the queue loop needs from the other parts of sync. */
export interface QueueLoopParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly link: Link
  readonly alarm: Alarm
  register(): Promise<void>
  apply(events: readonly QueueRow[]): Promise<void>
  /** Called after each answer that was understood and written; `cameOnline`: the first one since trouble. */
  heard(cameOnline: boolean): void
  log(line: string): void
}

/** Polls the event queue of one account and has its events applied. */
export interface QueueLoop {
  readonly finished: Promise<void>
  /** Registers anew before the next poll. */
  registerAnew(): void
  /** Ends the poll and the waits between polls, unless the server asked for patience. */
  hurry(): void
  /** Resolves once everything that the queue holds now has been applied; rejects if it could not be fetched. */
  catchUp(): Promise<void>
  /** Types of events that recently made the account register anew. */
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
  /** Queues lost in a row without an answer in between. */
  let lostQueues = 0
  let drop: { readonly at: number; tries: number } | null = null
  /** Ends the poll and the waits between polls, but no wait of others, who may have been asked for patience. */
  const hurry = createAlarm(clock, signal)
  const wanted = () => AbortSignal.any([alarm.signal, hurry.signal])
  /** Aborts when an answer is wanted sooner, even if that happens during an attempt that then fails. */
  let rung = wanted()
  /** The callers of `catchUp` that wait for the answer of the next poll. */
  let listeners: { readonly heard: () => void; readonly failed: (error: unknown) => void }[] = []

  const trouble = () => {
    const now = clock.now()
    const known = troubleSince(store.db, now - troubleMemoryMs)
    const delay = known.count === 0 ? 0 : retryDelayMs(known.count, clock)
    return { types: known.types, waitMs: Math.min(delay, Math.max(0, known.last + delay - now)) }
  }

  const heard = () => {
    attempts = 0
    drop = null
    const cameOnline = link.state.status !== 'online'
    link.change({ status: 'online', isLive: true, ...noAttempt, problem: null })
    parts.heard(cameOnline)
    // What it rings is for the others: the server was asked just now.
    if (cameOnline) rung = wanted()
  }

  const registerNow = async () => {
    // Stored in the file: neither restarting the program nor the account turns trouble into a storm of requests.
    const { waitMs } = trouble()
    if (waitMs > 0) await alarm.pause(waitMs)
    if (signal.aborted) return
    rung = wanted()
    // A registration requested from here on may need a newer snapshot than this one, and who asks from here on to catch
    // up needs the next poll.
    isRegistrationDue = false
    const asked = listeners
    listeners = []
    try {
      await parts.register()
    } catch (error) {
      isRegistrationDue = true
      listeners = [...asked, ...listeners]
      throw error
    }
    if (signal.aborted) return
    heard()
    for (const listener of asked) listener.heard()
  }

  const poll = async (queueId: string) => {
    const { lastEventId, longpollTimeoutMs } = readCursor(store.db)
    // After trouble, the first poll does not block, so that everyone learns at once that the server is back. Nor does it
    // after a ring: the machine may have slept, or have another network, and a dead connection is then noticed soon.
    const asked = listeners
    listeners = []
    const isFirst = link.state.status !== 'online' || drop !== null || asked.length > 0 || rung.aborted
    rung = wanted()
    const begun = clock.now()
    let events: readonly QueueRow[]
    try {
      const answer = await connection.call(
        queue.getEvents,
        { queue_id: queueId, last_event_id: lastEventId, ...(isFirst ? { dont_block: true } : {}) },
        // The server answers the first poll at once, so it has no more time than any other request.
        { signal: rung, ...(isFirst ? {} : { timeoutMs: longpollTimeoutMs + pollMarginMs }) },
      )
      // A proxy repeats the answer to an earlier poll. Ids start anew with each queue, so this would skip events.
      if (answer.queue_id !== undefined && answer.queue_id !== queueId)
        throw new FailureError({ kind: 'malformed', message: t.failures.server.repeatedAnswer })
      events = answer.events.map(readQueueRow)
    } catch (error) {
      // We aborted it ourselves: the next poll gets the same events.
      if (rung.aborted) {
        listeners = [...asked, ...listeners]
        return
      }
      // No short drop if the server was silent until the time was up.
      if (isFirst) drop ??= { at: begun, tries: 0 }
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
    // Also if all events were known before: a cached answer is returned again and again.
    const isIdle = !isFirst && events.every(({ id }) => id === null || id <= lastEventId)
    if (isIdle && clock.now() - begun < leastPollMs) await clock.wait(leastPollMs, rung)
  }

  const waitFor = async (
    status: 'offline' | 'unreachable' | 'incompatible',
    problem: string,
    ms: number,
    until = rung,
  ) => {
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
    await clock.wait(ms, until)
  }

  /** How long to wait before retrying without showing the failure; null if it must be shown. */
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
    if (lostQueues > 1) await alarm.pause(retryDelayMs(lostQueues - 1, clock))
  }

  const fail = async (failure: Failure, isPolling: boolean) => {
    const quietMs = quietWait(failure)
    // Where the server asked for patience, only a person or the network cuts the wait short.
    const until = failure.kind === 'rateLimited' ? alarm.signal : rung
    if (quietMs !== null) {
      await clock.wait(quietMs, until)
      return
    }
    attempts++
    const backoffMs = retryDelayMs(attempts, clock)
    switch (failure.kind) {
      case 'rejected':
        // A refused key, whatever the HTTP status.
        if (failure.code === 'INVALID_API_KEY') await signOut(t.failures.server.keyRefused)
        else if (isPolling) await loseQueue(failure)
        else await waitFor('unreachable', failure.message, backoffMs)
        break
      case 'unauthorized':
        // What a server says of a key is for programs; without a key here, the reason is ours.
        await signOut(
          failure.code === 'NO_KEY' || isOfDeactivated(failure)
            ? failure.message
            : t.failures.server.keyRefused,
        )
        break
      case 'malformed':
        // A server that once registered us is a real one: the answer is from a proxy, or a network's sign-in page.
        if (readCursor(store.db).generation > 0) await waitFor('unreachable', failure.message, backoffMs)
        else await waitFor('incompatible', failure.message, incompatibleRetryMs)
        break
      case 'offline':
        await waitFor('offline', failure.message, backoffMs)
        break
      case 'rateLimited':
        // The server's own words are for programs.
        await waitFor('unreachable', t.failures.server.slowDown, failure.retryAfterMs, until)
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

  /** The key is refused, so further requests are pointless. Everything on this device stays readable. */
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
    if (failure.kind === 'bug') parts.log(`sync: ${logTextOf(error)}`)
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
          // The disk cannot even record the failure.
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
    hurry: () => hurry.ring(),
    catchUp: () =>
      new Promise((heard, failed) => {
        listeners.push({ heard, failed })
        hurry.ring()
      }),
    skippedTypes: () => trouble().types,
  }
}
