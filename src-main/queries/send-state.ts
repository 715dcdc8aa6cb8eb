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
