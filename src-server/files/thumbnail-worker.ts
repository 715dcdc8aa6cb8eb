import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import type { ThumbnailFormat } from './thumbnail-formats.ts'
import { writeWhole } from './whole-file.ts'

// Scales pictures down one after another, in a thread beside the one that answers requests.

/** A picture to make; `target` is where it goes. */
export interface ThumbnailJob {
  readonly source: string
  readonly target: string
  readonly format: ThumbnailFormat
}

/** The result of a job; without the library, every job fails. */
export type ThumbnailOutcome =
  | { readonly kind: 'made' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string }

/** The part of the library that is used here. */
interface Picture {
  rotate(): Picture
  resize(wanted: { width: number; height: number; fit: 'inside'; withoutEnlargement: boolean }): Picture
  webp(wanted: { quality: number; effort: number }): Picture
  timeout(limit: { seconds: number }): Picture
  toBuffer(): Promise<Buffer>
}
interface Library {
  (source: string, options: Readonly<Record<string, unknown>>): Picture
  cache(isOn: boolean): void
  concurrency(threads: number): void
}

/**
 * The most pixels a picture may have over all of its frames; the largest photographs have fewer. A small file can
 * claim any size; one that claims more is never decoded.
 */
const mostPoints = 64_000_000
const longestSeconds = 20

/** Loaded by its name: it has a build for most platforms, and where it has none, pictures keep their size. */
function library(): Library {
  // The package's own type declarations are wider.
  const sharp = createRequire(import.meta.url)('sharp') as Library
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

let loaded: Library | undefined

async function make({ source, target, format }: ThumbnailJob): Promise<ThumbnailOutcome> {
  try {
    loaded ??= library()
  } catch (error) {
    return { kind: 'unavailable', reason: String(error) }
  }
  try {
    const bytes = await loaded(source, {
      animated: format.animated,
      limitInputPixels: mostPoints,
      failOn: 'error',
      sequentialRead: true,
    })
      // Rotated as the camera was held. No other metadata, such as the location, is copied.
      .rotate()
      .resize({
        width: format.max_width,
        height: format.max_height,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 82, effort: 3 })
      .timeout({ seconds: longestSeconds })
      .toBuffer()
    await writeWhole(target, bytes)
    return { kind: 'made' }
  } catch (error) {
    return { kind: 'refused', reason: String(error) }
  }
}

let turn = Promise.resolve()
parentPort?.on('message', (job: ThumbnailJob) => {
  turn = turn.then(async () => parentPort?.postMessage(await make(job)))
})
