import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** How long the end of a file waits for what is under way, milliseconds. */
const usualPatienceMs = 3_000
/** What the two threads tell each other: whether one file is at work on, and how often what was asked for was given up. */
const busy = 0
const givenUp = 1

/**
 * Moves what is in the logs of files (SQLite's write-ahead logs) into the files themselves, in a thread of its own: it
 * waits for the disk, and windows are not to wait with it.
 */
export interface Checkpoints {
  /** Returns at once; false when there is no thread for it, and the caller has to do it. */
  request(path: string): boolean
  /**
   * Gives up what has not begun yet, and waits for what is under way, at most three seconds: whoever closes a file moves
   * its log, if nobody else has it open.
   */
  settle(): void
  close(): void
}

// Text, because every host would otherwise have to know of one more file; and CommonJS, because text is that.
const threadCode = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Sqlite = require(workerData.sqlitePath)
  const state = new Int32Array(workerData.state)
  parentPort.on('message', ({ path, round }) => {
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
      parentPort.postMessage(String(error))
    } finally {
      Atomics.store(state, ${busy}, 0)
      Atomics.notify(state, ${busy})
    }
  })
`

/** The thread begins with the first request. `patienceMs` is how long `settle` waits at most. */
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
    // Nothing is lost when the program ends in the middle.
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
      // It may go on with what it was asked meanwhile, which is given up at once.
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
