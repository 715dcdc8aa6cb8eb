import type { SendState } from '../../src-shared/model/outbox.ts'
import { isProvisional, provisionalId } from '../../src-shared/ids.ts'
import type { Founding } from '../../src-shared/model/channel.ts'
import type { ReadableDb } from '../store/database.ts'
import { holdsId } from '../store/founded.ts'
import { outboxRows, type OutboxRow } from '../store/outbox.ts'

/** What a screen says about a row of the outbox. */
export function sendStateOf(row: OutboxRow, isBehindAnother: boolean): SendState {
  return {
    state: row.state,
    attempts: row.attempts,
    isBehindAnother,
    isBehindFounding: holdsId(row.action, isProvisional),
    nextAttemptAt: row.nextAttemptAt,
    reason: row.reason,
  }
}

/** Whether an earlier row of its lane has to go first, or one that founds what it is about. */
export function isBehind(rows: readonly OutboxRow[], row: OutboxRow): boolean {
  const isUnnumbered = holdsId(row.action, isProvisional)
  // A message that went along with its topic is in two lanes.
  const isSameLane = (other: OutboxRow) =>
    other.lane === row.lane ||
    (other.name === row.name &&
      other.conversationKey !== null &&
      other.conversationKey === row.conversationKey)
  const foundedBy = (other: OutboxRow) =>
    isUnnumbered && holdsId(row.action, (id) => id === provisionalId(other.localId))
  return rows.some(
    (other) =>
      foundedBy(other) ||
      // What nobody can read holds nothing back.
      (other.action !== null &&
        other.sequence < row.sequence &&
        other.state !== 'accepted' &&
        isSameLane(other)),
  )
}

/** The change that founds what has this id here; null for what the server has. */
export function foundingOf(db: ReadableDb, id: number): Founding | null {
  if (!isProvisional(id)) return null
  const row = outboxRows(db).find(({ localId }) => provisionalId(localId) === id)
  return row === undefined ? null : { localId: row.localId, state: sendStateOf(row, false) }
}
