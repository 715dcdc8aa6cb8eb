/**
 * The state of something that waits to be sent, named for what is true now.
 *
 * waiting: not tried yet, or waiting for a retry. sending: a request is under way.
 * unsure: the request got no answer and may have taken effect. accepted: the server accepted it, but its echo is not
 * here yet. refused: the server refused it for good; the person decides.
 */
export type OutboxState = 'waiting' | 'sending' | 'unsure' | 'accepted' | 'refused'

/** The state of one item, with what a screen shows about it. */
export interface SendState {
  readonly state: OutboxState
  /** The number of attempts. */
  readonly attempts: number
  /** An earlier item of its lane must be sent first. */
  readonly isBehindAnother: boolean
  /** It depends on something that was created here and is not on the server yet. */
  readonly isBehindCreation: boolean
  /** When the next attempt is, epoch milliseconds; null if none is planned. */
  readonly nextAttemptAt: number | null
  /** Why it was refused, in the server's words; null otherwise. */
  readonly reason: string | null
}

/** The reason of an `unsure` change of which only the person can decide whether it was sent. */
export const undecided = 'undecided'

type Settled = Pick<SendState, 'state' | 'reason'>

/** Whether nobody can tell if the server has it. */
export const isUndecided = ({ state, reason }: Settled): boolean => state === 'unsure' && reason === undecided

/** Whether nothing happens to it until the person decides. */
export const isStuck = (change: Settled): boolean => change.state === 'refused' || isUndecided(change)

/** The actions that put one more thing on the server each time they are sent, so that none is sent twice unasked. */
export const makesEachTime: ReadonlySet<string> = new Set([
  'send-message',
  'schedule-message',
  'remind-me',
  'save-snippet',
])

/** How long a message can be undone after it was sent, in milliseconds. */
export const undoSendMs = 10_000
