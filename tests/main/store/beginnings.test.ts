import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { beginningsOf } from '../../../src-main/store/beginnings.ts'
import { openStore, type Store, type WritableDb } from '../../../src-main/store/database.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { wordsMatch } from '../../../src-main/queries/search-words.ts'
import { messageFields } from '../../support/message-fields.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// What the named words and beginnings find together must be what the index finds by the beginning itself.

const letters = [...'aabceÉßøжщλς²ş7']
const someWords = fc.sample(fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 7 }), {
  numRuns: 1_500,
  seed: 4,
})
const conversation = { kind: 'topic', channelId: channelId(3), topic: 'tides' } as const
const put = (db: WritableDb, id: number, words: string) =>
  putMessage(db, messageFields({ id, conversation, contentHtml: `<p>${words}</p>` }), 1)
const directory = temporaryFolder(afterAll)
let store: Store

beforeAll(() => {
  store = openStore(join(directory, 'account.db'), () => {})
  store.write((db) => {
    for (const [at, word] of someWords.entries())
      put(db, at + 1, `${word} and ${someWords[(at * 7) % someWords.length] ?? ''}`)
  })
})

afterAll(() => store.close())

const found = (match: string) =>
  store.db.column<number>('SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid', [
    `words : (${match})`,
  ])
const wholeMatch = (typed: string) => `"${typed}" *`

test('as many messages are found as by the beginning itself, in any script', () => {
  const beginnings = new Set(
    someWords.flatMap((word) => [...word].map((_, at) => [...word].slice(0, at + 1).join(''))),
  )
  expect(beginnings.size).toBeGreaterThan(2_000)
  for (const typed of beginnings) {
    const { match } = wordsMatch(store.db, typed)
    expect(found(match ?? ''), typed).toEqual(found(wholeMatch(typed)))
  }
})

test('a word that no message begins with finds nothing', () => {
  expect(found(wordsMatch(store.db, 'aabzzz').match ?? '')).toEqual([])
  expect(found(wordsMatch(store.db, 'ab_zz').match ?? '')).toEqual([])
})

test('a frequent word is named itself, so that its messages are not collected first', () => {
  store.write((db) => {
    for (const [at, word] of ['harbour', 'harbours', 'harboured', 'harbourmaster'].entries())
      put(db, 10_000 + at, word)
  })
  const { words, beginnings } = beginningsOf(store.db, 'harb')
  expect(words.toSorted()).toEqual(['harbour', 'harboured', 'harbourmaster', 'harbours'])
  expect(beginnings).toEqual([])
})

test('of very many words some are named, and beginnings of two or three letters stay whole', () => {
  store.write((db) => {
    for (let n = 0; n < 2_000; n++) put(db, 20_000 + n, `gaug${n}`)
  })
  const { words, beginnings } = beginningsOf(store.db, 'gaug')
  expect(words.length + beginnings.length).toBeLessThan(60)
  expect(found(wordsMatch(store.db, 'gaug').match ?? '')).toHaveLength(2_000)
  expect(beginningsOf(store.db, 'gau')).toEqual({ words: [], beginnings: ['gau'] })
  expect(beginningsOf(store.db, 'g')).toEqual({ words: [], beginnings: ['ga'] })
})
