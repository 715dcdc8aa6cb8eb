import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ExportJob } from './export-worker.ts'

/** Makes one archive at a time, in a thread of its own. */
export class ExportThread {
  #worker: Worker | null = null
  #done: Promise<void> = Promise.resolve()

  /** Makes an archive, then calls with what went wrong, or null. To be called when none is being made. */
  make(job: ExportJob, done: (fault: string | null) => void): void {
    // It lies beside this file, also where both were built.
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

  /** Ends what is being made, which then has failed; resolves when that is written down. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
    await this.#done
  }
}
