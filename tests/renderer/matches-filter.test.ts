import { expect, test } from 'vitest'
import { matchesFilter } from '../../src-renderer/state/matches-filter.ts'

test('lists are filtered without regard to case, accents and blanks around', () => {
  expect(matchesFilter('Odhrán Keane', 'odhran')).toBe(true)
  expect(matchesFilter('Odhran Keane', ' ODHRÁN ')).toBe(true)
  expect(matchesFilter('Ingrid Øst', 'ost')).toBe(true)
  expect(matchesFilter('Keiko Tamura', '')).toBe(true)
  expect(matchesFilter('Keiko Tamura', 'ines')).toBe(false)
})
