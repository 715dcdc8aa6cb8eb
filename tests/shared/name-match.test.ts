import { expect, test } from 'vitest'
import { foldName, matchNames, wordsOf } from '../../src-shared/model/name-match.ts'

const score = (name: string, typed: string, ...beside: string[]) =>
  matchNames([name, ...beside], wordsOf(typed))?.score ?? null
const marked = (name: string, typed: string) =>
  matchNames([name], wordsOf(typed))?.spans[0]?.map(([start, end]) => name.slice(start, end))

test('the whole name comes before its beginning, a word, a part, and letters in order', () => {
  const names = ['gauge', 'gauge 4 drift', 'tide-gauges', 'regauged', 'great auk gets eggs']
  const scores = names.map((name) => score(name, 'gauge'))
  expect(scores.every((one) => one !== null)).toBe(true)
  expect(scores).toEqual(scores.toSorted((a, b) => (b ?? 0) - (a ?? 0)))
  expect(new Set(scores).size).toBe(names.length)
})

test('every word has to be in some name, and counts less in one that comes along', () => {
  expect(score('offset drift', 'drift tide', 'tide-gauges')).not.toBeNull()
  expect(score('offset drift', 'drift rota', 'tide-gauges')).toBeNull()
  expect(score('tide tables', 'tide', 'maps')).toBeGreaterThan(score('maps', 'tide', 'tide-gauges') ?? 9)
})

test('letters in order begin at a word and leave out few', () => {
  expect(marked('gauge 4 offset drift', 'god')).toEqual(['g', 'o', 'd'])
  expect(marked('tide-gauges', 'tga')).toEqual(['t', 'ga'])
  expect(marked('gauge', 'gage')).toEqual(['ga', 'ge'])
  expect(score('tide-gauges', 'ides')).toBeNull()
  expect(score('north-flats', 'zz')).toBeNull()
})

test('accents and case do not matter, and what fits is marked where it stands', () => {
  expect(foldName('Øystein Müller')).toBe('oystein muller')
  expect(marked('Café Müller', 'CAFE mul')).toEqual(['Café', 'Mül'])
  expect(marked('gauge 4', 'gau uge')).toEqual(['gauge'])
  // Two letters for one: nothing is marked rather than something wrong.
  expect(marked('Straße', 'strasse')).toEqual([])
})

test('nothing typed fits everything equally', () => {
  expect(matchNames(['a', 'b'], [])).toEqual({ score: 0, spans: [[], []] })
})
