import { hourMs } from '../../src-shared/durations.ts'
import { expect, test } from 'vitest'
import { nextFullHour } from '../../src-renderer/state/appearance/local-moment.ts'
import { laterGroups } from '../../src-renderer/views/later/later-groups.ts'

const noon = new Date(2026, 4, 12, 12).getTime()
const item = (key: string, hours: number, isLate = false) => ({ key, at: noon + hours * hourMs, isLate })

test('what is to come stands under its day, what is late above it all', () => {
  const groups = laterGroups(
    [item('missed', -2, true), item('a', 1), item('b', 2), item('c', 24), item('d', 24 * 300)],
    'Late',
    noon,
  )
  expect(groups.map(({ name, items }) => [name, items.map(({ key }) => key).join(' ')])).toEqual([
    ['Late', 'missed'],
    ['Today, 12 May', 'a b'],
    ['Tomorrow, 13 May', 'c'],
    ['Monday, 8 March 2027', 'd'],
  ])
})

test('a day stays the same one when its first row goes, so that the focus stays too', () => {
  const [both] = laterGroups([item('a', 1), item('b', 2)], 'Late', noon)
  const [one] = laterGroups([item('b', 2)], 'Late', noon)
  expect(one?.key).toBe(both?.key)
})

test('another time begins with a full hour that leaves a quarter to choose', () => {
  const at = (...clock: [hour: number, minute: number, second?: number]) =>
    nextFullHour(new Date(2026, 4, 31, ...clock).getTime())
  expect([at(9, 0), at(9, 44, 59), at(9, 45), at(9, 45, 1), at(23, 10)]).toEqual([
    '2026-05-31T10:00',
    '2026-05-31T10:00',
    '2026-05-31T10:00',
    '2026-05-31T11:00',
    '2026-06-01T00:00',
  ])
})
