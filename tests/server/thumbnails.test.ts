import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { thumbnailFormats } from '../../src-server/files/thumbnail-formats.ts'
import { Thumbnails } from '../../src-server/files/thumbnails.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// What becomes of pictures when the thread that makes them smaller is in trouble.

const [format] = thumbnailFormats
if (format === undefined) throw new Error('there are no formats')
let folder: string
let said: string[]
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
  said = []
})

/** Thumbnails whose thread does with each job what this code says; `answer` tells what became of it. */
function withThread(code: string | null): Thumbnails {
  const script = join(folder, 'thread.mjs')
  if (code !== null)
    writeFileSync(
      script,
      `import { mkdirSync, writeFileSync } from 'node:fs'
       import { dirname } from 'node:path'
       import { parentPort } from 'node:worker_threads'
       const answer = (outcome) => parentPort.postMessage(outcome)
       const make = ({ target }) => {
         mkdirSync(dirname(target), { recursive: true })
         writeFileSync(target, 'smaller')
         answer({ kind: 'made' })
       }
       parentPort.on('message', (job) => { ${code} })`,
    )
  return new Thumbnails(join(folder, 'files'), (line) => said.push(line), pathToFileURL(script))
}
const ask = (thumbnails: Thumbnails, key: string) => thumbnails.of(key, join(folder, key), format)

test('a thread that does not start is given up: nobody waits, and one line says so', async () => {
  const thumbnails = withThread(null)
  expect(await Promise.all(['a', 'b', 'c'].map((key) => ask(thumbnails, key)))).toEqual([null, null, null])
  expect(await ask(thumbnails, 'd')).toBeNull()
  expect(said).toEqual([expect.stringContaining('Pictures keep their size')])
})

test('where there is no library nothing is tried again', async () => {
  const thumbnails = withThread(`answer({ kind: 'unavailable', reason: 'no build for this platform' })`)
  expect(await Promise.all(['a', 'b'].map((key) => ask(thumbnails, key)))).toEqual([null, null])
  expect(said).toEqual(['Pictures keep their size: no build for this platform'])
})

test('a picture that ends the thread is not tried again; others are made by another thread', async () => {
  const thumbnails = withThread(`if (job.source.endsWith('bad')) process.exit(3); make(job)`)
  expect(await ask(thumbnails, 'first')).toMatch(/first/)
  // The one behind it is lost with the thread, or was made before, as it happens.
  const [bad] = await Promise.all([ask(thumbnails, 'bad'), ask(thumbnails, 'behind')])
  expect(bad).toBeNull()
  expect(said).toHaveLength(1)
  expect(await ask(thumbnails, 'behind')).toMatch(/behind/)
  expect(await ask(thumbnails, 'bad')).toBeNull()
  expect(said).toHaveLength(1)
})

test('what was refused is asked for once, and what was made is there for the next service', async () => {
  const code = `globalThis.jobs = (globalThis.jobs ?? 0) + 1
    if (job.source.endsWith('bad') && jobs > 1) process.exit(3)
    if (job.source.endsWith('bad')) answer({ kind: 'refused', reason: 'too large' }); else make(job)`
  const thumbnails = withThread(code)
  expect(await ask(thumbnails, 'bad')).toBeNull()
  expect(await ask(thumbnails, 'bad')).toBeNull()
  const path = await ask(thumbnails, 'good')
  expect(existsSync(path ?? '')).toBe(true)
  expect(await ask(withThread(null), 'good')).toBe(path)
  expect(said).toEqual([])
})

test('more than a hundred wait for nobody', async () => {
  const thumbnails = withThread(`if (job.source.endsWith('last')) make(job); else answer({ kind: 'made' })`)
  const waiting = Array.from({ length: 130 }, (_, index) => ask(thumbnails, `picture-${index}`))
  const made = await Promise.all(waiting)
  expect(made.filter((path) => path !== null)).toHaveLength(100)
  expect(await ask(thumbnails, 'last')).toMatch(/last/)
})

test('a thumbnail that is being made while its file is deleted is deleted as well', async () => {
  const thumbnails = withThread('make(job)')
  const asked = ask(thumbnails, 'gone')
  // Once the thread has it.
  await ask(thumbnails, 'other')
  await thumbnails.forget('gone')
  const path = await asked
  expect(path).toMatch(/gone/)
  expect(existsSync(path ?? '')).toBe(false)
})
