import { expect, test } from 'vitest'
import { dayMs } from '../../src-shared/durations.ts'
import { clockTime, dayName, fullMoment, isoTime, listTime, shortDayName } from '../../src-renderer/time.ts'

test('days have names for a week', () => {
  const now = new Date(2026, 4, 12, 12).getTime()
  expect(dayName(now, now)).toBe('Today, 12 May')
  expect(dayName(now - dayMs, now)).toBe('Yesterday')
  expect(dayName(new Date(2025, 4, 8).getTime(), now)).toContain('2025')
  expect(shortDayName(new Date(2025, 4, 8).getTime(), now)).toContain('2025')
  const february = new Date(2026, 1, 11).getTime()
  expect([dayName(february, now), shortDayName(february, now)]).toEqual(['11 February', '11 Feb'])
})

test('a moment that no date can hold has no name, and ends nothing', () => {
  const now = Date.now()
  for (const at of [8.64e15 + 1, 1e300, Number.NaN]) {
    expect(isoTime(at)).toBeUndefined()
    expect([dayName(at, now), fullMoment(at, false), clockTime(at, false)]).toEqual(['', '', ''])
    expect(() => listTime(at, now, false)).not.toThrow()
  }
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
})
