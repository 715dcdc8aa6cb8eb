import Sqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { partsOf, termsOf, withLettersApart } from '../../../src-main/store/terms.ts'

// A search for part of a word must fold letters exactly as the word index does.

const sqlite = new Sqlite(':memory:')
sqlite.exec(`
  CREATE VIRTUAL TABLE texts USING fts5 (words, content='', tokenize='unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE listing USING fts5vocab ('texts', 'instance');
`)
afterAll(() => sqlite.close())

/** The terms that the index makes of texts. */
function indexed(texts: readonly string[]): string[][] {
  sqlite.exec(`INSERT INTO texts (texts) VALUES ('delete-all')`)
  const insert = sqlite.prepare('INSERT INTO texts (rowid, words) VALUES (?, ?)')
  sqlite.transaction(() => texts.forEach((text, index) => insert.run(index + 1, text)))()
  const terms: string[][] = texts.map(() => [])
  for (const row of sqlite.prepare('SELECT doc, term, offset FROM listing').all() as {
    doc: number
    term: string
    offset: number
  }[]) {
    terms[row.doc - 1]![row.offset] = row.term
  }
  return terms
}

const letters = (script: string): string[] => {
  const pattern = new RegExp(`^(?=[\\p{L}\\p{N}])\\p{Script=${script}}$`, 'u')
  return Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter((one) =>
    pattern.test(one),
  )
}

test.each([
  // oxlint-disable-next-line no-misleading-character-class -- a letter and its precomposed form are meant each for itself
  ['Latin', 900, /[Ǡǡẛ\u{1df0}-\u{1dff}\u{2c00}-\u{2dff}\u{a700}-\u{abff}]/u],
  ['Greek', 300, /[Ϳ\u1fbe]/],
  ['Cyrillic', 250, /[\u0528-\u052f\u1c80-\u1c8f\ua600-\ua6ff]/],
  ['Hebrew', 25, null],
  ['Arabic', 500, null],
  ['Armenian', 70, null],
  ['Devanagari', 60, null],
  ['Hiragana', 80, null],
  ['Katakana', 150, null],
  ['Hangul', 11_000, null],
  ['Han', 20_000, null],
])('every %s letter is what it is in the index', (script, least, rare) => {
  const known = letters(script).filter((letter) => rare?.test(letter) !== true)
  expect(known.length).toBeGreaterThan(least)
  const texts = known.map((letter) => `a${letter}b`)
  const wanted = indexed(texts)
  const wrong = known.filter(
    (_, index) => JSON.stringify(termsOf(texts[index]!)) !== JSON.stringify(wanted[index]),
  )
  expect(wrong.join(' ')).toBe('')
})

test.each([
  'Größenänderung an der Übergabe',
  'Zoe\u0308 cafe\u0301 naïve ễ',
  'ПРИВЕТ, Йод ёлка',
  'ΟΔΥΣΣΕΥΣ και ὁδός',
  'foo.bar_baz(x2) => https://example.org/a-b?c=d#e',
  'great🎉work 👍 done',
  '',
  '… — „“',
])('%s', (text) => {
  expect([termsOf(text)]).toEqual(indexed([text]))
})

test('letters of scripts without spaces stand apart, others do not', () => {
  expect(indexed([withLettersApart('GitHubで東京タワー 2階')])).toEqual([
    ['github', 'で', '東', '京', 'タ', 'ワ', 'ー', '2', '階'],
  ])
  expect(withLettersApart('Привет, Größe!')).toBe('Привет, Größe!')
})

test('the parts of a word are its sequences of three letters', () => {
  expect(partsOf('banana')).toEqual(['ban', 'ana', 'nan'])
  expect(partsOf('ab')).toEqual([])
  expect(partsOf('𝒳𝒴𝒵')).toEqual(['𝒳𝒴𝒵'])
})
