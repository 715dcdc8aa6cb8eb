import type { SendState } from '../../src-shared/model/outbox.ts'

/** How a change stands that was not tried yet and is behind no other. */
export const untried: SendState = {
  state: 'waiting',
  attempts: 0,
  isBehindAnother: false,
  isBehindFounding: false,
  nextAttemptAt: null,
  reason: null,
}
