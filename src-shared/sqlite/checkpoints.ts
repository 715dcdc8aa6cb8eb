import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** How long the end of a file waits for what is under way on it, milliseconds. */
const settleMs = 3_000

/**
 * Moves what is in the logs of files (SQLite's write-ahead logs) into the files themselves, in a thread of its own: it
 * waits for the disk, and windows are not to wait with it.
 */
export interface Checkpoints {
  /** Returns at once; false when there is no thread for it, and the caller has to do it. */
  request(path: string): boolean
  /** Waits until nothing is under way on any file, at most three seconds. */
  settle(): void
  close(): void
}

// Text, because every host would otherwise have to know of one more file; and CommonJS, because text is that.
const threadCode = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Sqlite = require(workerData.sqlitePath)
  const underWay = new Int32Array(workerData.underWay)
  parentPort.on('message', (path) => {
    try {
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
      Atomics.sub(underWay, 0, 1)
      Atomics.notify(underWay, 0)
    }
  })
`

/** The thread begins with the first request. */
export function createCheckpoints(log: (line: string) => void): Checkpoints {
  // How many requests are under way; the thread counts them down.
  const shared = new SharedArrayBuffer(4)
  const underWay = new Int32Array(shared)
  let thread: Worker | null = null
  let hasFailed = false

  const start = (): Worker => {
    const started = new Worker(threadCode, {
      eval: true,
      workerData: {
        sqlitePath: createRequire(import.meta.url).resolve('better-sqlite3'),
        underWay: shared,
      },
    })
    started.on('message', (problem: string) => log(`store: checkpoint: ${problem}`))
    started.on('error', (error) => {
      hasFailed = true
      thread = null
      Atomics.store(underWay, 0, 0)
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
      Atomics.add(underWay, 0, 1)
      thread.postMessage(path)
      return true
    },
    settle() {
      const end = performance.now() + settleMs
      for (let count = Atomics.load(underWay, 0); count > 0; count = Atomics.load(underWay, 0)) {
        const left = end - performance.now()
        if (left <= 0) return
        Atomics.wait(underWay, 0, count, left)
      }
    },
    close() {
      hasFailed = true
      void thread?.terminate()
      thread = null
    },
  }
}
