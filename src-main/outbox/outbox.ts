import { failureOf } from '../../src-shared/failure.ts'
import type { Action } from '../../src-shared/bridge/actions.ts'
import { localId, newId, type LocalId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { isStuck } from '../../src-shared/model/outbox.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { createAlarm } from '../../src-shared/clock/alarm.ts'
import { idleMs, keepGoing } from '../api/keep-going.ts'
import { readCursor } from '../store/cursor.ts'
import type { WritableDb } from '../store/database.ts'
import { isSubscribed } from '../store/channels.ts'
import { hasMessage } from '../store/messages.ts'
import { idOfObject, type ListedObject, type MadeKind } from '../store/objects.ts'
import { isLive } from '../store/ranges.ts'
import { doubtIfStale } from '../store/topics-in-doubt.ts'
import {
  forgetWaits,
  outboxRow,
  outboxRows,
  placeOf,
  removeOutboxRow,
  updateOutboxRow,
  type OutboxRow,
} from '../store/outbox.ts'
import { writeIfPossible } from '../store/write-if-possible.ts'
import { actionFor } from './actions/index.ts'
import { createAppending } from './append.ts'
import { endSent } from './end-sent.ts'
import { applyEffect, finishArrived, withKnownIds } from './creations.ts'
import { endMove, followTopic, isRepeatable, lanesOf, saveProgress } from './lanes.ts'
import { createDecisions, type Decisions } from './decisions.ts'
import { createEndedMakings } from './ended-makings.ts'
import { hasMade, madeHere } from './find-made.ts'
import { effectsOf } from './offline-action.ts'
import { createOwnEvents } from './own-events.ts'
import { createRecentSends } from './recent-sends.ts'
import { createSchedule } from './schedule.ts'
import { createSender, type OutboxParts } from './sender.ts'

/** How many changes are sent in parallel. */
const mostAtOnce = 4
/** How long a lane rests after an attempt ended with an unexpected error, in milliseconds. */
const failedRetryMs = 10_000

/**
 * The durable queue of the changes that a person made and the server does not have yet.
 *
 * ```
 *  (enqueue) ─► waiting ─► sending ─┬─ accepted by the server ─────────────► accepted
 *                  ▲                ├─ never arrived · 429 · repeatable ─────► waiting  (nextAttemptAt)
 *                  │                ├─ no answer or 5xx, not repeatable ─────► unsure ─► looked up; else the person
 *                  │                │                                                   decides
 *                  │                └─ refused ────────────────────────────► refused ─► the person edits or discards
 *                  └───────────────────────── the person retries ──────────────────────┘
 *
 *  (any state) ── its own message is in the cache ──► (row deleted)
 * ```
 *
 * 1. When `enqueue` returns, the row and its local effect are on disk, written in one transaction.
 * 2. Within a lane, changes are sent in order. A refused or undecided message holds back its own conversation. Any
 *    other change that is refused or undecided holds nothing back, nor does one that this version cannot read.
 * 3. A change that is not repeatable is never sent a second time before the server was asked whether it arrived.
 * 4. While the server may still be working on a lane's last request (`lingerMs`), nothing is asked or sent in that
 *    lane. It is done with a message whose echo came, answered or not.
 */
export interface Outbox extends Decisions {
  /** Stores a change and its local effect, and sends it when it is due. Throws if the disk fails. */
  enqueue(action: Action): LocalId
  /**
   * Reapplies the local effects of waiting changes. Must be called last in each transaction that writes server data: a
   * page that was fetched, a single event, or several events or a snapshot.
   */
  reapply(db: WritableDb, data: 'page' | 'event' | 'events'): void
  /** The echo of the row with this local id arrived. Must be called in the transaction of the event. */
  ownMessageArrived(db: WritableDb, id: string, messageId: number): void
  /**
   * Somebody made this object, perhaps a row whose answer was lost. Must be called in the transaction of the event.
   */
  objectMade(db: WritableDb, kind: MadeKind, one: ListedObject): void
  /**
   * The cache has a new channel, folder or group, perhaps created by a row whose answer was lost. Must be called in the
   * transaction of the event, before later events can rename it.
   */
  creationHeard(db: WritableDb): void
  /**
   * A whole topic was moved: unsent messages and the unsent visibility for it follow, and the person's own move to the
   * same place is done. Must be called in the transaction of the event.
   */
  topicMoved(db: WritableDb, from: Conversation, to: Conversation): void
  /** It is known again where topics are: changes that were held back for that can be sent. */
  topicsFound(): void
  /** Whether the server can be reached; nothing is sent otherwise. */
  setOnline(online: boolean): void
  /** Retries everything now instead of at its next attempt. */
  wake(): void
}

/** Starts the outbox of one account; it sends until `signal` aborts. */
export function createOutbox(parts: OutboxParts): Outbox {
  const { store, clock, signal } = parts
  const effects = effectsOf(parts)
  const busyLanes = new Map<string, OutboxRow>()
  const recentSends = createRecentSends(() => clock.now())
  const endedMakings = createEndedMakings()
  const appending = createAppending(clock, effects, (change, id) => endedMakings.note(change, id))
  const ownEvents = createOwnEvents()
  let online = false
  const alarm = createAlarm(clock, signal)
  const wake = () => alarm.ring()

  const sender = createSender({
    ...parts,
    ownEvents,
    wake,
    arrived: (id, messageId) => recentSends.arrived(id, messageId),
    made: (row, id) => endedMakings.note(row, id),
  })
  const schedule = createSchedule({ ...parts, sender, busyLanes })
  // A message that waits for its file can be sent, or refused, now.
  const stopListening = parts.files.onSettled(wake)
  signal.addEventListener('abort', () => stopListening())

  // If the process ended while sending, the outcome is unknown, and the server may still be working on the request.
  store.write((db) => {
    for (const row of outboxRows(db)) {
      if (row.state === 'accepted' || isStuck(row)) continue
      if (row.action === null) {
        // It stays listed for the person; a version that can read it may retry it.
        updateOutboxRow(db, row.localId, {
          state: 'refused',
          reason: t.failures.unreadableChange,
          nextAttemptAt: null,
        })
        continue
      }
      if (row.sentAt !== null) sender.rest(row)
      if (row.state !== 'sending') continue
      updateOutboxRow(db, row.localId, {
        state: isRepeatable(row) ? 'waiting' : 'unsure',
        nextAttemptAt: null,
      })
    }
  })

  const isApplied = (db: WritableDb, action: Action) =>
    actionFor(action).isApplied?.(db, action, effects) === true

  const newLocalId = () => localId(newId('o', clock))

  /** Makes all waiting rows due now. If the disk fails, they keep their times. */
  const makeAllDue = () =>
    writeIfPossible(store, forgetWaits, (reason) =>
      parts.log(`outbox: waits could not be cut short: ${reason}`),
    )

  /** Sends what is due, or waits until something is. */
  const sendDue = async () => {
    // Taken first, so that a ring during the loop is not missed.
    const { signal: rung } = alarm
    let waitMs = idleMs
    if (online) {
      for (const row of schedule.heads()) {
        const due = schedule.dueAt(row)
        if (due === null || row.action === null) continue
        if (due > clock.now()) waitMs = Math.min(waitMs, due - clock.now())
        else if (schedule.busy() < mostAtOnce) {
          const lanes = lanesOf(row)
          for (const lane of lanes) busyLanes.set(lane, row)
          sender
            .attempt(row, row.action)
            .catch((error: unknown) => {
              parts.log(`outbox: ${failureOf(error).message}`)
              // Without a pause, an attempt that always fails would run in a tight loop.
              return clock.wait(failedRetryMs, signal)
            })
            .finally(() => {
              // The lane may be that of the next message by now, see `hasEchoed`.
              for (const lane of lanes) if (busyLanes.get(lane) === row) busyLanes.delete(lane)
              wake()
            })
        }
      }
    }
    await clock.wait(waitMs, rung)
  }
  keepGoing(sendDue, { clock, signal, log: (line) => parts.log(`outbox: ${line}`) })

  const decisions = createDecisions({
    ...parts,
    ...{ sender, recentSends, endedMakings, wake },
    enqueue: (action) => outbox.enqueue(action),
  })

  const outbox: Outbox = {
    ...decisions,
    enqueue(given) {
      const id = newLocalId()
      const known = withKnownIds(store.db, given)
      const action = actionFor(known).withDetails?.(store.db, known, effects) ?? known
      let isDoubtful = false
      const keptAs = store.write((db) => {
        const place = placeOf(action)
        if (place !== null) isDoubtful = doubtIfStale(db, place)
        const prerequisite = actionFor(action).prerequisite?.(db, action) ?? null
        if (prerequisite !== null) appending.put(db, newLocalId(), prerequisite)
        return appending.put(db, id, action)
      })
      if (action.name === 'send-message') recentSends.add(id, action)
      if (isDoubtful) parts.findTopics()
      wake()
      return keptAs
    },
    reapply(db, data) {
      appending.answered()
      finishArrived(db, effects)
      const contradicted = new Set<LocalId>()
      for (const row of outboxRows(db)) {
        if (row.state === 'accepted') {
          if (row.messageId === null) continue
          if (hasMessage(db, row.messageId)) endSent(db, row, row.messageId, parts.files)
          else if (isGone(db, row)) removeOutboxRow(db, row.localId)
        } else if (row.action !== null) {
          const kind = actionFor(row.action)
          const made = madeHere(db, row, effects)
          if (made !== null) {
            endedMakings.note(row, made)
            removeOutboxRow(db, row.localId)
            continue
          }
          const heard = row.state === 'refused' ? undefined : kind.heard?.(db, row.action, effects.ownUserId)
          if (heard) {
            saveProgress(db, row, heard.rest ?? row.action, effects.ownUserId, heard.key)
            if (heard.rest === null) removeOutboxRow(db, row.localId)
            continue
          }
          const isContradicted =
            row.state === 'sending' && kind.isApplied?.(db, row.action, effects) === false
          const earlier = isContradicted && data === 'event' ? ownEvents.pending(row.lane) : undefined
          const mayBeOfEarlier = earlier !== undefined && isApplied(db, earlier)
          applyEffect(db, row, row.action, effects)
          if (!isContradicted) continue
          contradicted.add(row.localId)
          // The two may also concern different things, both of which can be so.
          if (!mayBeOfEarlier || isApplied(db, earlier)) sender.contradict(row.localId)
        }
      }
      // A single event that contradicts a change is not the event of that change.
      if (data !== 'page') ownEvents.heard(data === 'event' ? contradicted : new Set())
    },
    ownMessageArrived(db, id, messageId) {
      recentSends.arrived(localId(id), messageId)
      const row = outboxRow(db, localId(id))
      if (row === undefined) return
      endSent(db, row, messageId, parts.files)
      // Its lane is free, although its request may still be waiting for an answer on a connection that is dead.
      wake()
    },
    objectMade(db, kind, one) {
      const row = outboxRows(db).find((row) => hasMade(db, row, kind, one, effects))
      if (row === undefined) return
      endedMakings.note(row, idOfObject(kind, one))
      removeOutboxRow(db, row.localId)
    },
    creationHeard: (db) => finishArrived(db, effects),
    topicMoved(db, from, to) {
      followTopic(db, from, to)
      for (const id of endMove(db, from, to)) sender.endedByEvent(id)
    },
    topicsFound: wake,
    setOnline(value) {
      if (value === online) return
      online = value
      // The network is back: everything is retried now.
      if (online) makeAllDue()
      wake()
    },
    wake() {
      if (online) makeAllDue()
      wake()
    },
  }
  return outbox
}

/**
 * Whether an accepted message was deleted before this device saw it: no queue will bring its echo, and all new messages
 * are here. Does not apply to channels that the person is not subscribed to, where accepted messages are fetched by id.
 */
function isGone(db: WritableDb, { action, sentQueue }: OutboxRow): boolean {
  if (sentQueue !== null || action?.name !== 'send-message' || !isLive(db, 'combined')) return false
  // Without a queue, new messages are not here yet.
  if (readCursor(db).queueId === null) return false
  return action.conversation.kind === 'direct' || isSubscribed(db, action.conversation.channelId)
}
