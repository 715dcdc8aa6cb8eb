import { expect, test } from 'vitest'
import { laterGroups } from '../../src-renderer/views/later/later-groups.ts'

const noon = new Date(2026, 4, 12, 12).getTime()
const hourMs = 60 * 60 * 1_000
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
