import type { Checkpoints } from './checkpoints.ts'

/** How often it is looked how long the log is, milliseconds. */
const lookedMs = 50

/** Pages of 4 KiB. */
export interface LogLengths {
  /** So many are worth moving. */
  readonly much: number
  /** So many are moved at once, whoever waits: the thread for it does not come after. */
  readonly tooMuch: number
}

/** The part of a connection that is used. */
interface Connection {
  readonly name: string
  pragma(text: string): unknown
}

/** Has the log of one file moved into it before it is long; nothing else may do so from this connection. */
export class LogWatch {
  readonly #connection: Connection
  readonly #checkpoints: Checkpoints
  readonly #lengths: LogLengths
  readonly #log: (line: string) => void
  #lookedAt = 0

  /** `log` is told what went wrong; what is committed is safe in the log all the same. */
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

  /** Whether the last look is long enough ago for another. */
  get isDue(): boolean {
    return performance.now() - this.#lookedAt >= lookedMs
  }

  /** To be called after commits, outside of transactions; looks no more often than is needed. Never throws. */
  committed(): void {
    if (!this.isDue) return
    this.#lookedAt = performance.now()
    try {
      // The columns of this pragma, as SQLite documents them; NOOP only looks.
      const [state] = this.#connection.pragma('wal_checkpoint(NOOP)') as {
        log: number
        checkpointed: number
      }[]
      const waiting = state === undefined ? 0 : state.log - state.checkpointed
      if (waiting < this.#lengths.much) return
      const isAskedFor = this.#checkpoints.request(this.#connection.name)
      if (!isAskedFor || waiting > this.#lengths.tooMuch) this.#connection.pragma('wal_checkpoint(PASSIVE)')
    } catch (error) {
      // The next look tries again.
      this.#log(`store: checkpoint: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** To be called before the connection is closed: whoever closes last moves the rest of the log. */
  settle(): void {
    this.#checkpoints.settle()
  }
}
