import type { SendState } from '../../src-shared/model/outbox.ts'
import { isProvisional, provisionalId } from '../../src-shared/ids.ts'
import type { Creation } from '../../src-shared/model/channel.ts'
import type { ReadableDb } from '../store/database.ts'
import { holdsId } from '../store/provisional.ts'
import { isStuck } from '../../src-shared/model/outbox.ts'
import { holdsBackWhenStuck, outboxRows, type OutboxRow } from '../store/outbox.ts'

/** The state of an outbox row on screen. */
export function sendStateOf(row: OutboxRow, isBehindAnother: boolean): SendState {
  return {
    state: row.state,
    attempts: row.attempts,
    isBehindAnother,
    isBehindCreation: holdsId(row.action, isProvisional),
    nextAttemptAt: row.nextAttemptAt,
    reason: row.reason,
  }
}

/** Whether an earlier row of the same lane, or the row that creates what this one concerns, must be sent first. */
export function isBehind(rows: readonly OutboxRow[], row: OutboxRow): boolean {
  const dependsOnCreation = holdsId(row.action, isProvisional)
  // A message that followed its topic is in two lanes.
  const isSameLane = (other: OutboxRow) =>
    other.lane === row.lane ||
    (other.name === row.name &&
      other.conversationKey !== null &&
      other.conversationKey === row.conversationKey)
  const isCreatedBy = (other: OutboxRow) =>
    dependsOnCreation && holdsId(row.action, (id) => id === provisionalId(other.localId))
  return rows.some(
    (other) =>
      isCreatedBy(other) ||
      // An unreadable row holds nothing back.
      (other.action !== null &&
        other.sequence < row.sequence &&
        other.state !== 'accepted' &&
        (!isStuck(other) || holdsBackWhenStuck(other)) &&
        isSameLane(other)),
  )
}

/** The change that creates the thing with this provisional id; null if the server has it. */
export function creationOf(db: ReadableDb, id: number): Creation | null {
  if (!isProvisional(id)) return null
  const row = outboxRows(db).find(({ localId }) => provisionalId(localId) === id)
  return row === undefined ? null : { localId: row.localId, state: sendStateOf(row, false) }
}
