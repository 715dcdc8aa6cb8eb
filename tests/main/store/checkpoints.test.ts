import Sqlite from 'better-sqlite3'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createCheckpoints, type Checkpoints } from '../../../src-shared/sqlite/checkpoints.ts'
import { LogWatch } from '../../../src-shared/sqlite/log-watch.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let directory: string
let path: string
let lines: string[]
const opened: { close(): void }[] = []

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  path = join(directory, 'a.db')
  lines = []
})
afterEach(() => {
  for (const one of opened.splice(0).reverse()) one.close()
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
  put(store, 'large', 40 * mebibyte)
  expect(fileSize()).toBe(before)
  await untilMoved(store, 40 * mebibyte)
  expect(lengthOf(store)).toBe(40 * mebibyte)
  expect(lines.filter((line) => line.includes('checkpoint'))).toEqual([])
})

test('a shorter log is moved in a quiet moment', async () => {
  const checkpoints = createCheckpoints(log)
  opened.push(checkpoints)
  const store = open(checkpoints)
  const before = fileSize()
  put(store, 'large', 8 * mebibyte)
  for (let time = 0; time < 10; time++) {
    await sleep(60)
    put(store, 'small', time)
  }
  expect(fileSize()).toBe(before)
  await expect.poll(fileSize, { timeout: 10_000 }).toBeGreaterThan(8 * mebibyte)
})

/** A file, and a thread that checkpoints while somebody writes, until `rest` is called. */
function busyFile() {
  const sqlite = new Sqlite(path)
  const thread = new Sqlite(path)
  const reader = new Sqlite(path)
  opened.push(sqlite, thread, reader)
  sqlite.pragma('journal_mode = WAL')
  sqlite.exec('CREATE TABLE lines (text TEXT) STRICT')
  const insert = sqlite.prepare('INSERT INTO lines VALUES (?)')
  let isBusy = true
  const checkpoints: Checkpoints = {
    request() {
      // A commit during the checkpoint, as the thread sees it: its pages are left, so SQLite goes on with this log.
      if (isBusy) {
        reader.exec('BEGIN; SELECT * FROM lines LIMIT 1')
        insert.run('meanwhile')
      }
      thread.pragma('wal_checkpoint(PASSIVE)')
      if (isBusy) reader.exec('COMMIT')
      return true
    },
    settle: () => {},
    close: () => {},
  }
  return { sqlite, thread, insert, checkpoints, rest: () => (isBusy = false) }
}

test('a log does not grow without end under steady writing', async () => {
  const { sqlite, insert, checkpoints } = busyFile()
  const watch = new LogWatch(sqlite, checkpoints, log, {
    whenQuiet: 100,
    atOnce: 120,
    blocking: 10_000,
    restart: 200,
    blockingRestart: 200,
  })
  for (let time = 0; time < 30; time++) {
    for (let line = 0; line < 5; line++) insert.run('x'.repeat(20_000))
    watch.committed()
    await sleep(60)
  }
  watch.settle()
  expect(statSync(`${path}-wal`).size).toBeLessThan(400 * 4_120)
})

test('a long log begins anew after a quiet moment, and nobody waits for the disk', async () => {
  const { sqlite, thread, insert, checkpoints, rest } = busyFile()
  const asked: string[] = []
  const pragma = (text: string) => {
    asked.push(text)
    return sqlite.pragma(text)
  }
  const limits = { whenQuiet: 100, atOnce: 120, blocking: 10_000, restart: 200, blockingRestart: 10_000 }
  const watch = new LogWatch({ name: path, pragma }, checkpoints, log, limits)
  for (let time = 0; time < 10; time++) {
    for (let line = 0; line < 8; line++) insert.run('x'.repeat(20_000))
    watch.committed()
    await sleep(60)
  }
  // The columns of this pragma, as SQLite documents them.
  const pages = () => (thread.pragma('wal_checkpoint(NOOP)') as { log: number }[])[0]?.log
  expect(pages()).toBeGreaterThan(200)
  rest()
  await sleep(600)
  insert.run('a little')
  expect(pages()).toBeLessThan(20)
  expect(asked).not.toContain('wal_checkpoint(PASSIVE)')
  watch.settle()
})

test('a file that is closed while its log is moved leaves no log behind, and nothing is lost', async () => {
  // A long limit, because other tests use the disk too.
  const checkpoints = createCheckpoints(log, 60_000)
  opened.push(checkpoints)
  const first = openStore(path, log, { checkpoints })
  put(first, 'large 0', 40 * mebibyte)
  // From now on the thread is running, and starts a checkpoint at once.
  await untilMoved(first, 40 * mebibyte)
  first.close()
  for (let round = 1; round <= 3; round++) {
    const store = openStore(path, log, { checkpoints })
    put(store, `large ${round}`, 8 * mebibyte)
    checkpoints.request(path)
    store.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    const again = openStore(path, log)
    expect(lengthOf(again)).toBe((40 + round * 8) * mebibyte)
    again.close()
  }
})

test('where there is no thread the log is moved between two writes', async () => {
  const store = open({ request: () => false, settle: () => {}, close: () => {} })
  put(store, 'large', 40 * mebibyte)
  await untilMoved(store, 40 * mebibyte)
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
