import Sqlite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { openStore, type Store, type WritableDb } from '../../../src-main/store/database.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { createWordsUpkeep } from '../../../src-main/store/words-upkeep.ts'
import { messageFields } from '../../support/message-fields.ts'

// Every commit adds a segment to the word index. Segments are merged between commits, never within one.

let directory: string
let store: Store

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dunlin-words-'))
  store = openStore(join(directory, 'account.db'), () => {})
})

afterEach(() => {
  store.close()
  rmSync(directory, { recursive: true, force: true })
})

const put = (db: WritableDb, id: number) =>
  putMessage(
    db,
    messageFields({
      id,
      conversation: { kind: 'topic', channelId: channelId(3), topic: 'tides' },
      contentHtml: `<p>reading ${id} at the gauge</p>`,
    }),
    1,
  )
const parts = () =>
  store.db.get<{ n: number }>('SELECT count(DISTINCT segid) AS n FROM message_words_idx')?.n ?? 0
const found = (words: string) =>
  store.db.all('SELECT rowid FROM message_words WHERE message_words MATCH ?', [words]).length

test('parts are joined in spare moments, and what they hold is found before and after', async () => {
  for (let id = 1; id <= 120; id++) store.write((db) => put(db, id))
  expect(parts()).toBe(120)
  expect(found('gauge')).toBe(120)
  await expect.poll(parts).toBeLessThan(12)
  expect(found('gauge')).toBe(120)
  expect(found('77')).toBe(1)
})

test('what was left undone at the end of a run is done in the next', async () => {
  for (let id = 1; id <= 40; id++) store.write((db) => put(db, id))
  store.close()
  store = openStore(join(directory, 'account.db'), () => {})
  expect(parts()).toBe(40)
  store.write((db) => put(db, 41))
  await expect.poll(parts).toBeLessThan(12)
  expect(found('gauge')).toBe(41)
})

test('work within other work that writes nothing adds no part', () => {
  store.write((db) => {
    put(db, 1)
    store.write((inner) => inner.get('SELECT 1'))
    put(db, 2)
  })
  expect(parts()).toBe(1)
  expect(() =>
    store.write((db) => {
      put(db, 3)
      try {
        store.write((inner) => {
          put(inner, 4)
          throw new Error('no')
        })
      } catch {
        // The outer transaction continues without it.
      }
      put(db, 5)
    }),
  ).not.toThrow()
  expect(store.db.all<{ id: number }>('SELECT message_id AS id FROM messages').map(({ id }) => id)).toEqual([
    1, 2, 3, 5,
  ])
  expect(found('gauge')).toBe(4)
})

test('after a step that took long, the next one waits for a quiet moment, but not for ever', () => {
  for (let id = 1; id <= 40; id++) store.write((db) => put(db, id))
  vi.useFakeTimers()
  let spent = 0
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + spent)
  const sqlite = new Sqlite(join(directory, 'account.db'))
  const prepare = sqlite.prepare.bind(sqlite)
  let merges = 0
  // A disk on which each merge takes long.
  vi.spyOn(sqlite, 'prepare').mockImplementation((sql: string) => {
    const statement = prepare(sql)
    if (!sql.includes(`INSERT INTO message_words (message_words, rank) VALUES ('merge'`)) return statement
    const run = statement.run.bind(statement)
    statement.run = (...parameters: unknown[]) => {
      merges++
      spent += 20
      return run(...parameters)
    }
    return statement
  })
  const upkeep = createWordsUpkeep(sqlite, (error) => {
    throw error
  })
  /** One commit every 20 milliseconds. */
  const commit = (times: number) => {
    for (let time = 0; time < times; time++) {
      upkeep.due()
      vi.advanceTimersByTime(20)
    }
  }
  try {
    commit(2)
    expect(merges).toBe(1)
    commit(100)
    expect(merges).toBe(1)
    commit(101)
    expect(merges).toBe(2)
    commit(1)
    vi.advanceTimersByTime(400)
    expect(merges).toBeGreaterThan(2)
  } finally {
    upkeep.close()
    sqlite.close()
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})
