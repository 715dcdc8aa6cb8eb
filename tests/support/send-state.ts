import type { SendState } from '../../src-shared/model/outbox.ts'

/** The state of a change that was not tried yet and waits behind no other. */
export const untried: SendState = {
  state: 'waiting',
  attempts: 0,
  isBehindAnother: false,
  isBehindCreation: false,
  nextAttemptAt: null,
  reason: null,
}
