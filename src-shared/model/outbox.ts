/**
 * Where something that waits for the server stands. Named for what is true now.
 *
 * waiting: not tried, or tried and to be tried again. sending: a request is under way.
 * unsure: the request got no answer and may have had its effect. accepted: the server said yes, its echo is not
 * here yet. refused: the server said no for good; the person decides.
 */
export type OutboxState = 'waiting' | 'sending' | 'unsure' | 'accepted' | 'refused'

/** The state of one item with what a screen says about it. */
export interface SendState {
  readonly state: OutboxState
  /** How often it was tried. */
  readonly attempts: number
  /** An earlier item of its lane has to go first. */
  readonly isBehindAnother: boolean
  /** What it is about has to be founded first. */
  readonly isBehindFounding: boolean
  /** Epoch milliseconds of the next attempt; null when none is planned. */
  readonly nextAttemptAt: number | null
  /** Why it was refused, in the server's words; null otherwise. */
  readonly reason: string | null
}

/** How long a message can be taken back after it was sent, milliseconds. */
export const undoSendMs = 10_000
