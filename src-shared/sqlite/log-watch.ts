import type { Checkpoints } from './checkpoints.ts'

/** How often the length of the log is checked, in milliseconds. */
const lookedMs = 50

/** Pages of 4 KiB. */
export interface LogLengths {
  /** From this length on a checkpoint is requested. */
  readonly much: number
  /**
   * From this length on the checkpoint runs at once, even though callers wait for it: the worker thread does not keep
   * up.
   */
  readonly tooMuch: number
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
  readonly #lengths: LogLengths
  readonly #log: (line: string) => void
  #lookedAt = 0

  /** `log` receives what went wrong. Committed data is safe in the write-ahead log regardless. */
  constructor(
    connection: Connection,
    checkpoints: Checkpoints,
    lengths: LogLengths,
    log: (line: string) => void,
  ) {
    this.#connection = connection
    this.#checkpoints = checkpoints
    this.#lengths = lengths
    this.#log = log
    connection.pragma('wal_autocheckpoint = 0')
  }

  /** Whether the last check is long enough ago for another. */
  get isDue(): boolean {
    return performance.now() - this.#lookedAt >= lookedMs
  }

  /** Call after commits, outside transactions. It checks no more often than needed. Never throws. */
  committed(): void {
    if (!this.isDue) return
    this.#lookedAt = performance.now()
    try {
      // The columns of this pragma, as SQLite documents them; NOOP only reports.
      const [state] = this.#connection.pragma('wal_checkpoint(NOOP)') as {
        log: number
        checkpointed: number
      }[]
      const waiting = state === undefined ? 0 : state.log - state.checkpointed
      if (waiting < this.#lengths.much) return
      const isAskedFor = this.#checkpoints.request(this.#connection.name)
      if (!isAskedFor || waiting > this.#lengths.tooMuch) this.#connection.pragma('wal_checkpoint(PASSIVE)')
    } catch (error) {
      // The next check tries again.
      this.#log(`store: checkpoint: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Call before the connection is closed: the last connection to close checkpoints the rest of the log. */
  settle(): void {
    this.#checkpoints.settle()
  }
}
