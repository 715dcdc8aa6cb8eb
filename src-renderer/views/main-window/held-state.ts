import { serverAnswers, type SyncState } from '../../../src-shared/model/account.ts'
import { hasStuckChanges } from '../all-organizations/state-words.ts'

/** The variants of the pill: all synced, busy, server away, needs the person. */
type PillVariant = 'ok' | 'busy' | 'off' | 'bad'

/** The time and a timer; tests pass their own. */
export interface PillClock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs a function after a number of milliseconds, unless the returned function is called first. */
  after(ms: number, run: () => void): () => void
}

/** The clock of the window. */
export const windowClock: PillClock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** How long the pill keeps a variant at least, milliseconds. */
const holdMs = 1_200
/** A shorter loss of the connection is not shown, milliseconds. */
const dropMs = 4_000
/** Changes that are sent within this time are not counted, milliseconds. */
const uncountedMs = 2_000

/** The progress of changes that are sent one after another: the number of the present one, and the total. */
export interface SendingCount {
  readonly at: number
  readonly of: number
}

/** The variant for a state; before the engine's first answer, as if all were well. */
export function variantOf(sync: SyncState | undefined): PillVariant {
  if (hasStuckChanges(sync) || (sync !== undefined && sync.diskTrouble !== null)) return 'bad'
  switch (sync?.status) {
    case undefined:
    case 'synced':
      return 'ok'
    case 'connecting':
    case 'syncing':
      return 'busy'
    case 'offline':
    case 'unreachable':
      return 'off'
    case 'signed-out':
    case 'incompatible':
      return 'bad'
  }
}

/**
 * Decides which state the pill shows.
 *
 * States with the same variant are shown at once. Another variant is shown once the present one was visible for 1.2 s.
 * A server that stopped answering is reported 4 s later, unless it is back by then. Changes on their way to the server
 * are counted once they take 2 s; most clicks are done by then.
 * `show` is called with each new state to show, and with a null count until there is one.
 */
export class HeldState {
  readonly #clock: PillClock
  readonly #show: (state: SyncState | undefined, count: SendingCount | null) => void
  #shown: SyncState | undefined
  #shownSince: number
  /** The next variant, and when it was first wanted. */
  #wanted: { readonly variant: PillVariant; readonly since: number } | null = null
  /** A series of changes that are sent without a pause. */
  #sending: { readonly since: number; readonly done: number; readonly waiting: number } | null = null
  #cancel: () => void = () => {}
  #cancelCount: () => void = () => {}

  constructor(
    clock: PillClock,
    first: SyncState | undefined,
    show: (state: SyncState | undefined, count: SendingCount | null) => void,
  ) {
    this.#clock = clock
    this.#shown = first
    // The first state may be replaced at once.
    this.#shownSince = clock.now() - holdMs
    this.#show = show
  }

  /** Takes the current state. */
  see(state: SyncState | undefined): void {
    this.#cancel()
    const now = this.#clock.now()
    this.#count(state, now)
    const [from, to] = [variantOf(this.#shown), variantOf(state)]
    if (from === to || this.#shown === undefined) {
      this.#wanted = null
      if (from !== to) this.#shownSince = now
      this.#tell(state)
      return
    }
    if (this.#wanted?.variant !== to) this.#wanted = { variant: to, since: now }
    // A clock that is set back must not prolong the wait.
    const began = Math.min(this.#wanted.since, state?.since ?? now, now)
    const dropEnds = to === 'off' && serverAnswers(this.#shown) ? began + dropMs : now
    const at = Math.max(Math.min(this.#shownSince, now) + holdMs, dropEnds)
    const turn = () => {
      this.#wanted = null
      this.#shownSince = this.#clock.now()
      this.#tell(state)
    }
    if (at <= now) turn()
    else this.#cancel = this.#clock.after(at - now, turn)
  }

  #count(state: SyncState | undefined, now: number): void {
    const waiting = state?.status === 'syncing' ? state.waiting : 0
    const before = this.#sending
    if (waiting === 0) {
      this.#cancelCount()
      this.#sending = null
    } else if (before === null) {
      this.#sending = { since: now, done: 0, waiting }
      this.#cancelCount = this.#clock.after(uncountedMs, () => this.#tell(this.#shown))
    } else {
      this.#sending = { ...before, done: before.done + Math.max(0, before.waiting - waiting), waiting }
    }
  }

  #tell(state: SyncState | undefined): void {
    this.#shown = state
    const sending = this.#sending
    const isCounted = sending !== null && Math.abs(this.#clock.now() - sending.since) >= uncountedMs
    this.#show(state, isCounted ? { at: sending.done + 1, of: sending.done + sending.waiting } : null)
  }

  /** Stops all timers; nothing is shown any more. */
  end(): void {
    this.#cancel()
    this.#cancelCount()
  }
}
