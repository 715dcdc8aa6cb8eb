import type { SendState } from '../../src-shared/model/outbox.ts'
import type { OutboxRow } from '../store/outbox.ts'

/** What a screen says about a row of the outbox. */
export function sendStateOf(row: OutboxRow, isBehindAnother: boolean): SendState {
  return {
    state: row.state,
    attempts: row.attempts,
    isBehindAnother,
    nextAttemptAt: row.nextAttemptAt,
    reason: row.reason,
  }
}

/** Whether an earlier row of its lane has to go first. */
export function isBehind(rows: readonly OutboxRow[], row: OutboxRow): boolean {
  // A message that went along with its topic is in two lanes.
  const isSameLane = (other: OutboxRow) =>
    other.lane === row.lane ||
    (other.name === row.name &&
      other.conversationKey !== null &&
      other.conversationKey === row.conversationKey)
  return rows.some(
    (other) => other.sequence < row.sequence && other.state !== 'accepted' && isSameLane(other),
  )
}
