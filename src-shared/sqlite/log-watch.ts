import type { Checkpoints } from './checkpoints.ts'

/** How often the length of the log is checked, in milliseconds. */
const lookedMs = 50
/** After so many milliseconds without a commit, a moment is quiet. */
const quietMs = 300

/** Lengths of the log at which something happens, in pages of 4 KiB. */
export interface LogThresholds {
  /** From this length on a checkpoint is requested in a quiet moment. */
  readonly whenQuiet: number
  /**
   * From this length on it is requested at once. Checkpoints slow down the writers beside them, and a long log has many
   * versions of the same pages, of which only the last is moved.
   */
  readonly atOnce: number
  /**
   * From this length on the checkpoint runs at once, even though callers wait for it: the worker thread does not keep
   * up.
   */
  readonly blocking: number
  /**
   * From this length of the whole log on, the rest that the worker thread leaves is checkpointed in a quiet moment,
   * however short it is: SQLite begins the log anew only when nothing is left.
   */
  readonly restart: number
  /**
   * From this length of the whole log on, callers wait for that rest: under steady writing, the log would grow without
   * end. Waiting for the disk takes a tenth of a second and more.
   */
  readonly blockingRestart: number
}
const usualThresholds: LogThresholds = {
  whenQuiet: 1_000,
  atOnce: 8_000,
  blocking: 32_000,
  restart: 24_000,
  blockingRestart: 96_000,
}

/** The part of a connection that is used here. */
interface Connection {
  readonly name: string
  pragma(text: string): unknown
}

/**
 * Has the write-ahead log of one file checkpointed before it gets long. Nothing else on this connection may do so.
 */
export class LogWatch {
  readonly #connection: Connection
  readonly #checkpoints: Checkpoints
  readonly #thresholds: LogThresholds
  readonly #log: (line: string) => void
  #lookedAt = 0
  #committedAt = 0
  /** Runs as long as no quiet moment has come since the last commit. */
  #quiet: NodeJS.Timeout | null = null

  /** `log` receives what went wrong. Committed data is safe in the write-ahead log regardless. */
  constructor(
    connection: Connection,
    checkpoints: Checkpoints,
    log: (line: string) => void,
    thresholds: LogThresholds = usualThresholds,
  ) {
    this.#connection = connection
    this.#checkpoints = checkpoints
    this.#thresholds = thresholds
    this.#log = log
    connection.pragma('wal_autocheckpoint = 0')
  }

  /** Whether the last check is long enough ago for another. */
  get isDue(): boolean {
    return performance.now() - this.#lookedAt >= lookedMs
  }

  /** Call after commits, outside transactions. It checks no more often than needed. Never throws. */
  committed(): void {
    this.#committedAt = performance.now()
    this.#quiet ??= this.#afterQuiet(quietMs)
    if (this.isDue) this.#look({ isQuiet: false })
  }

  #afterQuiet(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const left = quietMs - (performance.now() - this.#committedAt)
      this.#quiet = left > 0 ? this.#afterQuiet(left) : null
      if (left <= 0) this.#look({ isQuiet: true })
    }, ms).unref()
  }

  /** Has the log checkpointed if enough of its pages are not in the file yet. */
  #look({ isQuiet }: { readonly isQuiet: boolean }): void {
    this.#lookedAt = performance.now()
    try {
      // The columns of this pragma, as SQLite documents them; NOOP only reports.
      const [state] = this.#connection.pragma('wal_checkpoint(NOOP)') as {
        log: number
        checkpointed: number
      }[]
      if (state === undefined) return
      const { whenQuiet, atOnce, blocking, restart, blockingRestart } = this.#thresholds
      const waiting = state.log - state.checkpointed
      const mustRestart = state.log > blockingRestart && waiting < whenQuiet / 2
      const ordinary = isQuiet ? whenQuiet : atOnce
      const isWanted = mustRestart || waiting >= (isQuiet && state.log > restart ? 1 : ordinary)
      if (!isWanted || waiting === 0) return
      if (mustRestart || waiting > blocking || !this.#checkpoints.request(this.#connection.name))
        this.#connection.pragma('wal_checkpoint(PASSIVE)')
    } catch (error) {
      // The next check tries again.
      this.#log(`store: checkpoint: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Call before the connection is closed: the last connection to close checkpoints the rest of the log. */
  settle(): void {
    if (this.#quiet !== null) clearTimeout(this.#quiet)
    this.#checkpoints.settle()
  }
}
