import type { HistoryPause, HistoryProgress, LinkStatus } from '../../src-shared/model/account.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'

/** The state of the account's connection; see `SyncState` for what screens show of it. */
export interface LinkState {
  readonly status: LinkStatus
  /**
   * Whether the queue was heard since the last trouble. False from the first failed poll, even while a short drop is
   * not yet shown: work that depends on the server's latest state waits for this.
   */
  readonly isLive: boolean
  /** Epoch milliseconds. */
  readonly since: number
  readonly attempt: number
  /** When the last attempt failed, epoch milliseconds; null while everything is fine. */
  readonly lastAttemptAt: number | null
  readonly nextAttemptAt: number | null
  /** One sentence for people, or null. */
  readonly problem: string | null
  /** The progress of history, or null if none is being fetched. */
  readonly progress: HistoryProgress | null
  /** Why history waits (battery or metered network), or null. */
  readonly historyPause: HistoryPause | null
}

/** Holds the state and reports each change once. */
export interface Link {
  readonly state: LinkState
  /** Changes the state. A new status begins now, unless `since` says that it began earlier. */
  change(to: Partial<LinkState>): void
}

/** Creates the link of one account, which is connecting. Nothing changes any more once `ending` has aborted. */
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
      // Listeners may read a store that is closed by now.
      if (ending.aborted) return
      const next = { ...state, ...to }
      if (JSON.stringify(next) === JSON.stringify(state)) return
      state = { ...next, since: next.status === state.status ? state.since : (to.since ?? clock.now()) }
      changed(state)
    },
  }
}
