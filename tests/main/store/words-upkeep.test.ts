import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { openStore, type Store, type WritableDb } from '../../../src-main/store/database.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { nextMergePages } from '../../../src-main/store/fts5-records.ts'
import { removeWords } from '../../../src-main/store/message-words.ts'
import { createWordsUpkeep } from '../../../src-main/store/words-upkeep.ts'
import { messageFields } from '../../support/message-fields.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Every commit adds a segment to the word index. Segments are merged between commits, never within one.

let directory: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), () => {})
})

afterEach(() => store.close())

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

/** An upkeep on a clock of ours. `spentMs` is how long each merge takes on its disk. */
function clockedUpkeep(spentMs: number) {
  vi.useFakeTimers()
  let spent = 0
  let merges = 0
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + spent)
  const sqlite = new Sqlite(join(directory, 'account.db'))
  const prepare = sqlite.prepare.bind(sqlite)
  vi.spyOn(sqlite, 'prepare').mockImplementation((sql: string) => {
    const statement = prepare(sql)
    if (!sql.includes(`INSERT INTO message_words (message_words, rank) VALUES ('merge'`)) return statement
    const run = statement.run.bind(statement)
    statement.run = (...parameters: unknown[]) => {
      merges++
      spent += spentMs
      return run(...parameters)
    }
    return statement
  })
  const upkeep = createWordsUpkeep(sqlite, (error) => {
    throw error
  })
  return {
    merges: () => merges,
    /** One commit every 20 milliseconds. */
    commit(times: number, hasWords = true) {
      for (let time = 0; time < times; time++) {
        upkeep.committed(hasWords)
        vi.advanceTimersByTime(20)
      }
    },
    close() {
      upkeep.close()
      sqlite.close()
      vi.restoreAllMocks()
      vi.useRealTimers()
    },
  }
}

test('after a step that took long, the next one waits for a quiet moment, but not for ever', () => {
  for (let id = 1; id <= 40; id++) store.write((db) => put(db, id))
  const upkeep = clockedUpkeep(20)
  try {
    upkeep.commit(2)
    expect(upkeep.merges()).toBe(1)
    upkeep.commit(100)
    expect(upkeep.merges()).toBe(1)
    upkeep.commit(101)
    expect(upkeep.merges()).toBe(2)
    upkeep.commit(1)
    vi.advanceTimersByTime(400)
    expect(upkeep.merges()).toBeGreaterThan(2)
  } finally {
    upkeep.close()
  }
})

const nextPages = () =>
  nextMergePages(
    store.db.get<{ block: Uint8Array }>('SELECT block FROM message_words_data WHERE id = 10')?.block ??
      new Uint8Array(),
  )

test('a merge of many pages, which cannot be interrupted within a word, waits for a quiet moment', () => {
  // Pages so small that a few messages fill many.
  store.write((db) => db.run("INSERT INTO message_words (message_words, rank) VALUES ('pgsz', 64)"))
  for (let segment = 0; segment < 4; segment++)
    store.write((db) => {
      for (let id = 1; id <= 400; id++) put(db, segment * 400 + id)
    })
  expect(nextPages()).toBeGreaterThan(2_000)
  const upkeep = clockedUpkeep(0)
  try {
    upkeep.commit(500)
    expect(upkeep.merges()).toBe(0)
    // Keys of somebody who writes.
    upkeep.commit(100, false)
    expect(upkeep.merges()).toBe(0)
    vi.advanceTimersByTime(2_000)
    expect(upkeep.merges()).toBeGreaterThan(0)
  } finally {
    upkeep.close()
  }
  expect(found('gauge')).toBe(1_600)
})

test('how much the next merge reads is known before it begins and while it runs', () => {
  const pages = () =>
    // Rows of pages; those with bit 36 are an index of long lists.
    store.db.get<{ n: number }>(
      'SELECT count(*) AS n FROM message_words_data WHERE id > 10 AND (id >> 36) & 1 = 0',
    )?.n ?? 0
  const merge = (count: number) =>
    store.write((db) =>
      db.run("INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)", [count]),
    )
  for (let id = 1; id <= 3; id++) store.write((db) => put(db, id))
  expect(nextPages()).toBe(0)
  for (let segment = 4; segment <= 6; segment++)
    store.write((db) => {
      for (let id = 0; id < 400; id++) put(db, segment * 1_000 + id)
    })
  const all = pages()
  expect(nextPages()).toBe(all)
  merge(4)
  const left = nextPages()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(all)
  merge(10_000)
  expect(nextPages()).toBe(0)
  // One row in ten is deleted: the remaining segment is written anew.
  store.write((db) => {
    for (let id = 4_000; id < 4_200; id++) removeWords(db, id)
  })
  expect(nextPages()).toBeGreaterThan(0)
  merge(10_000)
  expect(nextPages()).toBe(0)
  expect(found('gauge')).toBe(1_003)
})
