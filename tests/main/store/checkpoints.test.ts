import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCheckpoints, type Checkpoints } from '../../../src-shared/sqlite/checkpoints.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'

let directory: string
let path: string
let lines: string[]
const opened: { close(): void }[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dunlin-checkpoints-'))
  path = join(directory, 'a.db')
  lines = []
})
afterEach(() => {
  for (const one of opened.splice(0).reverse()) one.close()
  rmSync(directory, { recursive: true, force: true })
})

const log = (line: string) => lines.push(line)
const open = (checkpoints: Checkpoints): Store => {
  const store = openStore(path, log, { checkpoints })
  opened.push(store)
  return store
}
const put = (store: Store, name: string, bytes: number) =>
  store.write((db) => db.run('INSERT OR REPLACE INTO organization VALUES (?, ?)', [name, 'x'.repeat(bytes)]))
const mebibyte = 1024 * 1024
const fileSize = () => statSync(path).size
const lengthOf = (store: Store) =>
  store.db.get<{ n: number }>(`SELECT sum(length(value)) AS n FROM organization WHERE name LIKE 'large%'`)?.n

/** Writes a little until the earlier writes are in the file itself. */
const untilMoved = (store: Store, bytes: number) =>
  expect
    .poll(
      () => {
        put(store, 'small', 10)
        return fileSize()
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThan(bytes)

test('a long log is moved into the file by the thread while the file is in use', async () => {
  const checkpoints = createCheckpoints(log)
  opened.push(checkpoints)
  const store = open(checkpoints)
  const before = fileSize()
  put(store, 'large', 8 * mebibyte)
  expect(fileSize()).toBe(before)
  await untilMoved(store, 8 * mebibyte)
  expect(lengthOf(store)).toBe(8 * mebibyte)
  expect(lines.filter((line) => line.includes('checkpoint'))).toEqual([])
})

test('a file that is closed while its log is moved leaves no log behind, and nothing is lost', async () => {
  // A long limit, because other tests use the disk too.
  const checkpoints = createCheckpoints(log, 60_000)
  opened.push(checkpoints)
  const first = openStore(path, log, { checkpoints })
  put(first, 'large 0', 8 * mebibyte)
  // From now on the thread is running, and starts a checkpoint at once.
  await untilMoved(first, 8 * mebibyte)
  first.close()
  for (let round = 1; round <= 3; round++) {
    const store = openStore(path, log, { checkpoints })
    put(store, `large ${round}`, 8 * mebibyte)
    checkpoints.request(path)
    store.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    const again = openStore(path, log)
    expect(lengthOf(again)).toBe((round + 1) * 8 * mebibyte)
    again.close()
  }
})

test('where there is no thread the log is moved between two writes', async () => {
  const store = open({ request: () => false, settle: () => {}, close: () => {} })
  put(store, 'large', 8 * mebibyte)
  await untilMoved(store, 8 * mebibyte)
})

test('a file that is gone by then is not made again', async () => {
  const checkpoints = createCheckpoints(log)
  opened.push(checkpoints)
  checkpoints.request(path)
  await expect
    .poll(() => lines.filter((line) => line.includes('checkpoint')), { timeout: 10_000 })
    .toHaveLength(1)
  expect(existsSync(path)).toBe(false)
})

test('after its end nobody is asked any more', () => {
  const checkpoints = createCheckpoints(log)
  checkpoints.request(path)
  checkpoints.close()
  expect(checkpoints.request(path)).toBe(false)
})
