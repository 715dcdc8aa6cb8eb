import type { HistoryPause, HistoryProgress } from '../../src-shared/model/account.ts'
import type { Clock } from '../api/clock.ts'

/** How the account stands with its server; see `SyncState` for what screens make of it. */
export interface LinkState {
  readonly status: 'connecting' | 'online' | 'offline' | 'unreachable' | 'signed-out' | 'incompatible'
  /**
   * Whether the queue was heard since the last trouble. False from the first failed poll, also while a short drop
   * is not yet worth a word: what depends on having seen the server's latest waits for this.
   */
  readonly isLive: boolean
  /** Epoch milliseconds. */
  readonly since: number
  readonly attempt: number
  /** When the last attempt failed, epoch milliseconds; null while nothing is wrong. */
  readonly lastAttemptAt: number | null
  readonly nextAttemptAt: number | null
  /** One sentence for people, or null. */
  readonly problem: string | null
  /** History under way, or null. */
  readonly progress: HistoryProgress | null
  /** Why history waits until the machine has more to give, or null. */
  readonly historyPause: HistoryPause | null
}

/** Holds the state and tells of each change once. */
export interface Link {
  readonly state: LinkState
  /** A new status holds since now, unless it is said that it began before. */
  change(to: Partial<LinkState>): void
}

export function createLink(clock: Clock, ending: AbortSignal, changed: (state: LinkState) => void): Link {
  let state: LinkState = {
    status: 'connecting',
    isLive: false,
    since: clock.now(),
    attempt: 0,
    lastAttemptAt: null,
    nextAttemptAt: null,
    problem: null,
    progress: null,
    historyPause: null,
  }
  return {
    get state() {
      return state
    },
    change(to) {
      // Whoever listens may read a store that is closed by now.
      if (ending.aborted) return
      const next = { ...state, ...to }
      if (JSON.stringify(next) === JSON.stringify(state)) return
      state = { ...next, since: next.status === state.status ? state.since : (to.since ?? clock.now()) }
      changed(state)
    },
  }
}
