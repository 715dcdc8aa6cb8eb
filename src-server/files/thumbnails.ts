import { rm, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ThumbnailFormat } from './thumbnail-formats.ts'
import type { ThumbnailJob, ThumbnailOutcome } from './thumbnail-worker.ts'

/** More pictures than a crowd opens at once; requests beyond this get the original meanwhile. */
const mostWaiting = 100
/** Pictures that cannot be scaled, remembered so that nobody tries again for each viewer. */
const mostRefused = 1_000

interface Waiting {
  readonly job: ThumbnailJob
  readonly done: (isMade: boolean) => void
}

/**
 * Thumbnails of pictures. A worker thread makes each one when somebody first asks, one at a time. They are stored
 * beside the uploaded files and not backed up, because they can be made again.
 */
export class Thumbnails {
  readonly #folder: string
  readonly #log: (line: string) => void
  readonly #script: URL
  readonly #underway = new Map<string, Promise<boolean>>()
  readonly #refused = new Set<string>()
  #waiting: Waiting[] = []
  #worker: Worker | null = null
  #hasAnswered = false
  #isUnavailable = false

  /** `script` is what the thread runs; it is beside this file, also in the built app. */
  constructor(
    filesDirectory: string,
    log: (line: string) => void,
    script = new URL(`./thumbnail-worker${extname(import.meta.url)}`, import.meta.url),
  ) {
    this.#folder = join(dirname(filesDirectory), 'thumbnails')
    this.#log = log
    this.#script = script
  }

  /**
   * The path of a thumbnail of the picture at `source`, which `key` identifies; null if the picture is available only
   * in its original size. Never rejects.
   */
  async of(key: string, source: string, format: ThumbnailFormat): Promise<string | null> {
    const target = join(this.#folder, key, format.name)
    const isThere = await stat(target).then(
      () => true,
      () => false,
    )
    if (isThere) return target
    if (this.#isUnavailable || this.#refused.has(target)) return null
    const known = this.#underway.get(target)
    if (known === undefined && this.#waiting.length >= mostWaiting) return null
    const making = known ?? this.#make({ source, target, format })
    return (await making) ? target : null
  }

  /** Deletes the thumbnails of a picture, also those being made. */
  async forget(key: string): Promise<void> {
    const folder = join(this.#folder, key)
    const underway = [...this.#underway].filter(([target]) => dirname(target) === folder)
    await Promise.all(underway.map(([, made]) => made))
    await rm(folder, { recursive: true, force: true })
  }

  #make(job: ThumbnailJob): Promise<boolean> {
    const made = new Promise<boolean>((done) => {
      this.#waiting.push({ job, done })
      this.#running().postMessage(job)
    }).finally(() => this.#underway.delete(job.target))
    this.#underway.set(job.target, made)
    return made
  }

  /** The worker answers in the order of the requests. */
  #running(): Worker {
    if (this.#worker !== null) return this.#worker
    const worker = new Worker(this.#script)
    worker.unref()
    worker.on('message', (outcome: ThumbnailOutcome) => this.#answered(outcome))
    const gone = (error?: unknown) => {
      if (this.#worker !== worker) return
      this.#worker = null
      const reason = String(error ?? 'its thread ended')
      // A thread that never worked will not work the next time either.
      if (this.#hasAnswered) this.#log(`A picture could not be made smaller: ${reason}`)
      else this.#giveUp(reason)
      const lost = this.#waiting
      this.#waiting = []
      // The picture that ended the thread is not tried again; the others are, at the next request for them.
      if (lost[0] !== undefined) this.#refuse(lost[0].job.target)
      for (const { done } of lost) done(false)
    }
    worker.on('error', gone)
    worker.on('exit', gone)
    this.#worker = worker
    return worker
  }

  #answered(outcome: ThumbnailOutcome): void {
    const first = this.#waiting.shift()
    if (first === undefined) return
    this.#hasAnswered = true
    if (outcome.kind === 'refused') this.#refuse(first.job.target)
    if (outcome.kind === 'unavailable') this.#giveUp(outcome.reason)
    first.done(outcome.kind === 'made')
  }

  #giveUp(reason: string): void {
    if (!this.#isUnavailable) this.#log(`Pictures keep their size: ${reason}`)
    this.#isUnavailable = true
  }

  #refuse(target: string): void {
    if (this.#refused.size >= mostRefused) this.#refused.clear()
    this.#refused.add(target)
  }
}
