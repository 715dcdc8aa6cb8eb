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
    // Set before the other flag is read: whichever thread comes second sees what the first one did.
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
      parentPort.postMessage(String(error))
    } finally {
      Atomics.store(state, ${busy}, 0)
      Atomics.notify(state, ${busy})
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

  const start = (): Worker => {
    const started = new Worker(threadCode, {
      eval: true,
      workerData: {
        sqlitePath: createRequire(import.meta.url).resolve('better-sqlite3'),
        state: shared,
      },
    })
    started.on('message', (problem: string) => log(`store: checkpoint: ${problem}`))
    started.on('error', (error) => {
      hasFailed = true
      thread = null
      Atomics.store(state, busy, 0)
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
      thread.postMessage({ path, round: Atomics.load(state, givenUp) })
      return true
    },
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
    },
  }
}
