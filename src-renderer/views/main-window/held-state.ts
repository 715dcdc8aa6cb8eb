import type { SyncState } from '../../../src-shared/model/account.ts'
import { needsPerson } from '../all-organizations/state-words.ts'

/** The looks of the pill: all there, under way, not reached, needs the person. */
type PillVariant = 'ok' | 'busy' | 'off' | 'bad'

/** Moments and waiting, so that a test may hand in its own. */
export interface PillClock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs it after so many milliseconds, unless the returned function is called before. */
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

/** How long the pill keeps a look at least, milliseconds. */
const holdMs = 1_200
/** A drop that is shorter is not shown, milliseconds. */
const dropMs = 4_000
/** What is sent within that time is not counted out, milliseconds. */
const uncountedMs = 2_000

/** How far the changes are that go out one after the other: the one under way, and of how many. */
export interface SendingCount {
  readonly at: number
  readonly of: number
}

/** How the pill looks in a state; before the first word of the engine as if all were well. */
export function variantOf(sync: SyncState | undefined): PillVariant {
  if (needsPerson(sync) || (sync !== undefined && sync.diskTrouble !== null)) return 'bad'
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

/** Whether the server answers. */
export const isConnected = (sync: SyncState | undefined): boolean =>
  sync?.status === 'synced' || sync?.status === 'syncing'

/**
 * Tells which state the pill shows. States of one look go through at once; another look comes when the present one was
 * shown for 1.2 s, and a server that stopped answering is told 4 s after that began, unless it is back by then. Changes
 * on their way to the server are counted once they are for 2 s; what a click changes has arrived by then.
 * `show` is called with what is to be shown from then on, without a count until there is one.
 */
export class HeldState {
  readonly #clock: PillClock
  readonly #show: (state: SyncState | undefined, count: SendingCount | null) => void
  #shown: SyncState | undefined
  #shownSince: number
  /** The look that is to come, since it first was. */
  #wanted: { readonly variant: PillVariant; readonly since: number } | null = null
  /** Changes that go out without a pause. */
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
    // What the window opens with is nothing to get used to.
    this.#shownSince = clock.now() - holdMs
    this.#show = show
  }

  /** This is so now. */
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
    // A clock that is set makes nobody wait for longer than the rules say.
    const began = Math.min(this.#wanted.since, state?.since ?? now, now)
    const dropEnds = to === 'off' && isConnected(this.#shown) ? began + dropMs : now
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

  /** Nothing is shown any more. */
  end(): void {
    this.#cancel()
    this.#cancelCount()
  }
}
