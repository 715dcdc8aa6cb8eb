import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** How long closing a file waits for a running checkpoint, in milliseconds. */
const usualPatienceMs = 3_000
/**
 * Indexes of the state shared by the two threads: whether a checkpoint is running, and how often pending requests were
 * dropped.
 */
const busy = 0
const givenUp = 1

/**
 * Runs checkpoints, which move SQLite's write-ahead log into the database file, in a worker thread: a checkpoint waits
 * for the disk, and windows must not wait with it.
 */
export interface Checkpoints {
  /** Returns at once. False if there is no thread; then the caller has to run the checkpoint. */
  request(path: string): boolean
  /** Whether a requested checkpoint is left, so that a commit may wait for the disk. */
  readonly isBusy: boolean
  /** Resolves once none is left: at once, if none is. Work that nobody waits for writes after that. */
  idle(): Promise<void>
  /**
   * Drops the requests that have not started, and waits at most three seconds for the running checkpoint. The
   * connection that then closes the file checkpoints the log itself, if no other connection has it open.
   */
  settle(): void
  close(): void
}

// Text, because otherwise every host would need one more file; CommonJS, because the worker evaluates text as that.
const threadCode = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Sqlite = require(workerData.sqlitePath)
  const state = new Int32Array(workerData.state)
  parentPort.on('message', ({ path, round }) => {
    let problem = null
    // Said before it is looked: of the two threads one always sees what the other did.
    Atomics.store(state, ${busy}, 1)
    try {
      if (Atomics.load(state, ${givenUp}) !== round) return
      const file = new Sqlite(path, { fileMustExist: true, timeout: 100 })
      try {
        // Passive: it never makes a writer wait.
        file.pragma('wal_checkpoint(PASSIVE)')
      } finally {
        file.close()
      }
    } catch (error) {
      problem = String(error)
    } finally {
      Atomics.store(state, ${busy}, 0)
      Atomics.notify(state, ${busy})
      parentPort.postMessage(problem)
    }
  })
`

/** The thread starts at the first request. `patienceMs` is how long `settle` waits at most. */
export function createCheckpoints(
  log: (line: string) => void,
  patienceMs: number = usualPatienceMs,
): Checkpoints {
  const shared = new SharedArrayBuffer(8)
  const state = new Int32Array(shared)
  let thread: Worker | null = null
  let hasFailed = false
  /** How many requests the thread has not answered, and who waits for all of them. */
  let left = 0
  const waiting: (() => void)[] = []
  const answered = (nowLeft: number) => {
    left = nowLeft
    if (left > 0) return
    for (const resolve of waiting.splice(0)) resolve()
  }

  const start = (): Worker => {
    const started = new Worker(threadCode, {
      eval: true,
      workerData: {
        sqlitePath: createRequire(import.meta.url).resolve('better-sqlite3'),
        state: shared,
      },
    })
    started.on('message', (problem: string | null) => {
      if (problem !== null) log(`store: checkpoint: ${problem}`)
      answered(left - 1)
    })
    started.on('error', (error) => {
      hasFailed = true
      thread = null
      Atomics.store(state, busy, 0)
      answered(0)
      log(`store: checkpoints are done between other things from now on: ${error.message}`)
    })
    // Nothing is lost if the program ends in the middle.
    started.unref()
    return started
  }

  return {
    request(path) {
      if (hasFailed) return false
      thread ??= start()
      left++
      thread.postMessage({ path, round: Atomics.load(state, givenUp) })
      return true
    },
    get isBusy() {
      return left > 0
    },
    idle: () => (left === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    settle() {
      Atomics.add(state, givenUp, 1)
      // The worker may still receive requests made in the meantime; it drops those at once.
      const end = performance.now() + patienceMs
      while (Atomics.load(state, busy) === 1) {
        const left = end - performance.now()
        if (left <= 0) return
        Atomics.wait(state, busy, 1, left)
      }
    },
    close() {
      hasFailed = true
      void thread?.terminate()
      thread = null
      answered(0)
    },
  }
}
