import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openStore, type ReadableDb, type Store } from '../../../src-main/store/database.ts'
import { putAccountSetting } from '../../../src-main/store/account-settings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Results that queries read again and again are remembered as long as they are valid.

let directory: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), () => {})
})
afterEach(() => store.close())

let asked: string[]
beforeEach(() => (asked = []))

const language = (db: ReadableDb) =>
  db.remembered('language', () => {
    asked.push('language')
    return db.column<string>(`SELECT value FROM account_settings WHERE name = 'language'`)
  })
const choose = (value: string) => store.write((db) => putAccountSetting(db, 'language', value))

test('a remembered value is read once until one of its tables is written, whatever becomes of others', () => {
  choose('en')
  expect([language(store.db), language(store.db)]).toEqual([['"en"'], ['"en"']])
  expect(asked).toHaveLength(1)
  store.write((db) => db.run('INSERT INTO muted_users VALUES (7, 0)'))
  language(store.db)
  expect(asked).toHaveLength(1)
  choose('de')
  expect(language(store.db)).toEqual(['"de"'])
})

test('a remembered value that is not committed is seen by its own transaction, and by nobody after it was taken back', () => {
  choose('en')
  language(store.db)
  expect(() =>
    store.write((db) => {
      putAccountSetting(db, 'language', 'de')
      expect(language(db)).toEqual(['"de"'])
      expect(language(store.db)).toEqual(['"de"'])
      throw new Error('taken back')
    }),
  ).toThrow('taken back')
  expect(language(store.db)).toEqual(['"en"'])
})

test('a watched query that was given it runs again when it changes, also within another', async () => {
  choose('en')
  language(store.db)
  const seen: unknown[] = []
  const greeting = (db: ReadableDb) => db.remembered('greeting', () => [...language(db), 'hello'])
  greeting(store.db)
  const stop = store.watch(greeting, (json) => seen.push(JSON.parse(json)))
  choose('de')
  await turn()
  await turn()
  stop()
  expect(seen).toEqual([
    ['"en"', 'hello'],
    ['"de"', 'hello'],
  ])
})

test('of many things only those that are not known are read', () => {
  const names = (ids: readonly number[]) => {
    const of = store.db.rememberedById('names', ids, (unknown) => {
      asked.push(unknown.join())
      return new Map(
        store.db
          .all<{ message_id: number; sender_name: string }>('SELECT message_id, sender_name FROM names')
          .filter(({ message_id }) => unknown.includes(message_id))
          .map((row) => [row.message_id, row.sender_name]),
      )
    })
    return ids.map(of)
  }
  store.close()
  store = openStore(join(directory, 'other.db'), () => {}, {
    steps: [
      {
        number: 1,
        up: (run) => run('CREATE TABLE names (message_id INTEGER PRIMARY KEY, sender_name TEXT)'),
      },
    ],
  })
  store.write((db) => db.run(`INSERT INTO names VALUES (1, 'Ana'), (2, 'Bo')`))
  expect(names([1, 3])).toEqual(['Ana', undefined])
  expect(names([1, 2, 3])).toEqual(['Ana', 'Bo', undefined])
  expect(asked).toEqual(['1,3', '2'])
  store.write((db) => db.run(`INSERT INTO names VALUES (3, 'Cy')`))
  expect(names([1, 3])).toEqual(['Ana', 'Cy'])
})

test('what the index of words says is never remembered', () => {
  const found = () =>
    store.db.remembered('found', () => {
      asked.push('found')
      return store.db.column<number>(`SELECT rowid FROM message_words WHERE message_words MATCH 'drift'`)
    })
  found()
  found()
  expect(asked).toHaveLength(2)
})
