import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ExportJob } from './export-worker.ts'

/** Makes one archive at a time, in a worker thread. */
export class ExportThread {
  #worker: Worker | null = null
  #done: Promise<void> = Promise.resolve()

  /**
   * Makes an archive, then calls back with what went wrong, or null. Call it only while no archive is being made.
   */
  make(job: ExportJob, done: (fault: string | null) => void): void {
    // It is beside this file, also in the built app.
    const script = new URL(`./export-worker${extname(import.meta.url)}`, import.meta.url)
    const worker = new Worker(script, { workerData: job })
    worker.unref()
    this.#worker = worker
    const outcome = new Promise<string | null>((resolve) => {
      worker.on('message', () => resolve(null))
      worker.on('error', (error) => resolve(String(error)))
      worker.on('exit', () => resolve('it was ended before it was done'))
    })
    this.#done = outcome.then(done)
  }

  /** Stops the archive being made, which then counts as failed; resolves when that is written down. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
    await this.#done
  }
}
