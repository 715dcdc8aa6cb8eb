import type { Action } from '../../src-shared/bridge/actions.ts'
import { unlessSetBack } from '../api/backoff.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Store } from '../store/database.ts'
import { isStuck, isUndecided } from '../../src-shared/model/outbox.ts'
import { holdsBackWhenStuck, outboxRows, placeOf, type OutboxRow } from '../store/outbox.ts'
import { isInDoubt } from '../store/topics-in-doubt.ts'
import { awaitsCreation, creationsAmong } from './creations.ts'
import { hasEchoed, isCertainlyHere, lanesOf, moveOf, wordsOf } from './lanes.ts'
import type { OutgoingFiles } from './outgoing-files.ts'
import type { Sender } from './sender.ts'

/** Which changes are sent next: in order within a lane, lanes side by side. */
export interface Schedule {
  /** The row of each lane that must be sent next, in order. */
  heads(): OutboxRow[]
  /** When to send a head, epoch milliseconds; null if it waits for something other than time. */
  dueAt(row: OutboxRow): number | null
  /** How many changes are being sent; one may be in several lanes. */
  busy(): number
}

/** Creates the schedule of one outbox. */
export function createSchedule(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly files: Pick<OutgoingFiles, 'isAwaited'>
  readonly sender: Sender
  /** What is being sent, by its lane. */
  readonly busyLanes: ReadonlyMap<string, OutboxRow>
}): Schedule {
  const { store, clock, files, sender, busyLanes } = parts

  const heads = (): OutboxRow[] => {
    const rows = outboxRows(store.db)
    const creations = creationsAmong(rows)
    const seen = new Set<string>()
    /** Lanes that a move may still use: messages that are not on the server follow their topic. */
    const seenByOthers = new Set(rows.filter(mayHaveMoved).flatMap(lanesOf))
    return rows.filter((row) => {
      if (row.action === null || row.state === 'accepted') return false
      if (isStuck(row) && !holdsBackWhenStuck(row)) return false
      // It does not hold back others: its lane may also contain changes that do not wait for the creation.
      if (awaitsCreation(row.action, creations)) return false
      const isMove = moveOf(row) !== null
      const lanes = lanesOf(row)
      const isFirst = lanes.every((lane) => !seen.has(lane) && (isMove || !seenByOthers.has(lane)))
      const isPassed = !isMove && (isCertainlyHere(row) || isUndecided(row))
      for (const lane of lanes) (isPassed ? seenByOthers : seen).add(lane)
      return isFirst
    })
  }

  /** Whether a change must wait because the topic for which it is may have moved. */
  const isHeld = (action: Action): boolean => {
    const place = placeOf(action)
    return place !== null && isInDoubt(store.db, place)
  }

  const isBusy = (lane: string): boolean => {
    const inIt = busyLanes.get(lane)
    return inIt !== undefined && !hasEchoed(store.db, inIt)
  }
  const busy = () => new Set([...busyLanes.values()].filter((row) => !hasEchoed(store.db, row))).size

  const dueAt = (row: OutboxRow): number | null => {
    if (row.action === null || isStuck(row)) return null
    if (lanesOf(row).some((lane) => isBusy(lane) || sender.isResting(lane))) return null
    if (row.state === 'waiting' && isHeld(row.action)) return null
    const words = wordsOf(row.action)
    if (row.state === 'waiting' && words !== null && files.isAwaited(words)) return null
    // Checked separately, because setting the clock back may invalidate one of the two and not the other.
    const now = clock.now()
    return Math.max(unlessSetBack(row.nextAttemptAt ?? 0, now), unlessSetBack(sender.pausedUntil, now))
  }

  return { heads, dueAt, busy }
}

/** Whether it moves a topic, and the server may have done that without an answer. */
const mayHaveMoved = (row: OutboxRow): boolean =>
  row.sentAt !== null && row.state !== 'refused' && moveOf(row) !== null
