import { expect, test } from 'vitest'
import { beginningOf, excerptAround, matchesIn } from '../../src-main/queries/excerpt.ts'

test('what fits is whole; what does not ends after a word, and says so', () => {
  expect(beginningOf('short', 5)).toBe('short')
  expect(beginningOf('dry, but the cable gland shows a groove on one side', 40)).toBe(
    'dry, but the cable gland shows a groove…',
  )
  expect(beginningOf('dry, but the cable gland', 15)).toBe('dry, but the…')
})

test('without a space nearby it is cut where it must be, never within a character', () => {
  expect(beginningOf('x'.repeat(300), 100)).toBe(`${'x'.repeat(99)}…`)
  expect(beginningOf('🌊'.repeat(60), 100)).toBe(`${'🌊'.repeat(49)}…`)
})

test('an excerpt stands around the first match, says what it leaves out, and marks in itself', () => {
  const { excerpt, matches } = excerptAround(`${'water '.repeat(60)}the Gauge is wet ${'land '.repeat(90)}`, [
    'gauge',
  ])
  expect(excerpt).toMatch(/^…water .* the Gauge is wet .* land…$/)
  expect(excerpt.length).toBeLessThanOrEqual(241)
  expect(matches.map(([start, end]) => excerpt.slice(start, end))).toEqual(['Gauge'])
})

test('matches that touch are one', () => {
  expect(excerptAround('tidewater', ['tide', 'dew', 'wat']).matches).toEqual([[0, 7]])
})

test('matches in a name are told as in an excerpt', () => {
  expect(matchesIn('Gauge 4 offset drift', ['gauge', 'rift'])).toEqual([
    [0, 5],
    [16, 20],
  ])
  expect(matchesIn('Gauge 4', ['nothing'])).toEqual([])
})
