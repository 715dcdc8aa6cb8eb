import { expect, test } from 'vitest'
import {
  endOfPause,
  nextQuietChange,
  pausedUntil,
  quietUntil,
  withoutPauses,
  withPause,
  type Pause,
  type QuietHours,
  type QuietSettings,
} from '../../src-shared/model/quiet.ts'

const hour = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const hours = (from: string, to: string, change: Partial<QuietHours> = {}): QuietHours => ({
  isOn: true,
  from: hour(from),
  to: hour(to),
  days: [1, 2, 3, 4, 5, 6, 7],
  accountId: null,
  ...change,
})
const settings = (quietHours: QuietHours, zone = 'UTC', pauses: readonly Pause[] = []): QuietSettings => ({
  quietHours,
  zone,
  pauses,
})
const at = (text: string) => Date.parse(text)
/** Until when it is quiet at a moment, in UTC; null when it is not. */
const until = (one: QuietSettings, now: string, accountId: string | null = null) => {
  const end = quietUntil(one, accountId, at(now))
  return end === null ? null : new Date(end).toISOString().slice(0, 16)
}

test('within a day', () => {
  const noon = settings(hours('12:00', '13:30'))
  expect(until(noon, '2026-05-12T11:59:59.999Z')).toBeNull()
  expect(until(noon, '2026-05-12T12:00Z')).toBe('2026-05-12T13:30')
  expect(until(noon, '2026-05-12T13:29:59.999Z')).toBe('2026-05-12T13:30')
  expect(until(noon, '2026-05-12T13:30Z')).toBeNull()
})

test('over midnight, also at the end of a month', () => {
  const night = settings(hours('20:00', '06:30'))
  expect(until(night, '2026-05-31T19:59Z')).toBeNull()
  expect(until(night, '2026-05-31T20:00Z')).toBe('2026-06-01T06:30')
  expect(until(night, '2026-06-01T00:00Z')).toBe('2026-06-01T06:30')
  expect(until(night, '2026-06-01T06:30Z')).toBeNull()
})

test('a night belongs to the day on which it begins', () => {
  // 2026-05-15 is a Friday.
  const weekend = settings(hours('22:00', '09:00', { days: [5, 6] }))
  expect(until(weekend, '2026-05-14T23:00Z')).toBeNull()
  expect(until(weekend, '2026-05-15T08:00Z')).toBeNull()
  expect(until(weekend, '2026-05-15T22:00Z')).toBe('2026-05-16T09:00')
  expect(until(weekend, '2026-05-17T08:59Z')).toBe('2026-05-17T09:00')
  expect(until(weekend, '2026-05-17T23:00Z')).toBeNull()
  expect(until(settings(hours('22:00', '09:00', { days: [] })), '2026-05-15T23:00Z')).toBeNull()
})

test('whole days go over into each other', () => {
  const weekend = settings(hours('00:00', '00:00', { days: [6, 7] }))
  expect(until(weekend, '2026-05-15T23:59Z')).toBeNull()
  expect(until(weekend, '2026-05-16T00:00Z')).toBe('2026-05-18T00:00')
  expect(until(weekend, '2026-05-18T00:00Z')).toBeNull()
})

test('the clock is that of the place, and another one after a journey', () => {
  const evening = hours('20:00', '06:30')
  const now = '2026-05-12T19:00Z'
  expect(until(settings(evening, 'Europe/London'), now)).toBe('2026-05-13T05:30')
  expect(until(settings(evening, 'America/New_York'), now)).toBeNull()
  expect(until(settings(evening, 'Asia/Tokyo'), now)).toBe('2026-05-12T21:30')
  // A zone in which half an hour counts, and one that nobody knows.
  expect(until(settings(evening, 'Asia/Kolkata'), now)).toBe('2026-05-13T01:00')
  expect(() => until(settings(evening, 'Nowhere/Land'), now)).not.toThrow()
})

test('a night in which summer time begins is an hour shorter', () => {
  // In Berlin clocks went from 02:00 to 03:00 on 2026-03-29, at 01:00 UTC.
  const night = settings(hours('22:00', '06:00'), 'Europe/Berlin')
  expect(until(night, '2026-03-28T20:59Z')).toBeNull()
  expect(until(night, '2026-03-28T21:00Z')).toBe('2026-03-29T04:00')
  expect(until(night, '2026-03-29T04:00Z')).toBeNull()
  // What the clock jumps over comes after the jump.
  const within = settings(hours('22:00', '02:30'), 'Europe/Berlin')
  expect(until(within, '2026-03-29T00:59Z')).toBe('2026-03-29T01:30')
  expect(until(within, '2026-03-29T01:30Z')).toBeNull()
})

test('a night in which it ends is an hour longer, and quiet does not come back with the hour', () => {
  // In Berlin clocks went from 03:00 to 02:00 on 2026-10-25, at 01:00 UTC.
  expect(until(settings(hours('22:00', '06:00'), 'Europe/Berlin'), '2026-10-24T20:00Z')).toBe(
    '2026-10-25T05:00',
  )
  const within = settings(hours('22:00', '02:30'), 'Europe/Berlin')
  expect(until(within, '2026-10-25T00:29Z')).toBe('2026-10-25T00:30')
  // The clock shows 02:10 for the second time.
  expect(until(within, '2026-10-25T01:10Z')).toBeNull()
})

test('a pause holds until its end, and quiet hours may follow', () => {
  const day = hours('20:00', '06:30')
  const paused = settings(day, 'UTC', [{ accountId: null, until: at('2026-05-12T16:00Z') }])
  expect(until(paused, '2026-05-12T15:00Z')).toBe('2026-05-12T16:00')
  expect(until(paused, '2026-05-12T16:00Z')).toBeNull()
  const late = settings(day, 'UTC', [{ accountId: null, until: at('2026-05-12T20:30Z') }])
  expect(until(late, '2026-05-12T19:30Z')).toBe('2026-05-13T06:30')
  // Somebody set the clock back by a year.
  expect(until(late, '2025-05-12T15:00Z')).toBeNull()
})

test('of one account alone', () => {
  const now = '2026-05-12T21:00Z'
  const one = settings(hours('20:00', '06:30', { accountId: 'a1' }))
  expect(until(one, now, 'a1')).toBe('2026-05-13T06:30')
  expect(until(one, now, 'a2')).toBeNull()
  expect(until(one, now)).toBeNull()
  const pauses = [{ accountId: 'a2', until: at('2026-05-12T22:00Z') }]
  expect(pausedUntil(pauses, 'a1', at(now))).toBeNull()
  expect(pausedUntil(pauses, 'a2', at(now))).toBe(at('2026-05-12T22:00Z'))
})

test('the next change is known before it comes', () => {
  const change = (one: QuietSettings, now: string) => {
    const next = nextQuietChange(one, at(now))
    return next === null ? null : new Date(next).toISOString().slice(0, 16)
  }
  const monday = settings(hours('20:00', '06:30', { days: [1], accountId: 'a1' }))
  expect(change(monday, '2026-05-12T07:00Z')).toBe('2026-05-18T20:00')
  expect(change(monday, '2026-05-18T21:00Z')).toBe('2026-05-19T06:30')
  expect(change(settings(hours('20:00', '06:30', { isOn: false })), '2026-05-12T07:00Z')).toBeNull()
  const paused = settings(hours('20:00', '06:30'), 'UTC', [
    { accountId: 'a1', until: at('2026-05-12T08:00Z') },
  ])
  expect(change(paused, '2026-05-12T07:00Z')).toBe('2026-05-12T08:00')
})

test('a pause begins now, takes the place of the one before it, and is ended', () => {
  const now = at('2026-03-28T22:30Z')
  expect(endOfPause('hour', now, 'Europe/Berlin')).toBe(at('2026-03-28T23:30Z'))
  // The night in which summer time begins, eight in the morning.
  expect(endOfPause('tomorrow', now, 'Europe/Berlin')).toBe(at('2026-03-29T06:00Z'))
  const [all, one, over] = [
    { accountId: null, until: now + 1 },
    { accountId: 'a1', until: now + 2 },
    { accountId: 'a2', until: now },
  ] as const
  const later = { accountId: 'a1', until: now + 9 }
  expect(withPause<Pause>([all, one, over], later, now)).toEqual([all, later])
  expect(withoutPauses<Pause>([all, one, later], 'a2')).toEqual([one, later])
  expect(withoutPauses<Pause>([all, one], null)).toEqual([])
})
