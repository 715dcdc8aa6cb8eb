import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareUnchanged } from '../../src-renderer/state/data/structural-sharing.ts'

const copy = <T>(value: T): T => structuredClone(value)

test('what did not change is the very object of before', () => {
  const before = {
    unread: 2,
    rows: [
      { id: 1, tags: ['a'] },
      { id: 2, tags: ['b'] },
    ],
  }
  const now = {
    unread: 3,
    rows: [
      { id: 1, tags: ['a'] },
      { id: 2, tags: ['c'] },
    ],
  }
  const joined = shareUnchanged(before, now)
  expect(joined).toEqual(now)
  expect(joined.rows[0]).toBe(before.rows[0])
  expect(joined.rows[1]).not.toBe(before.rows[1])
  expect(shareUnchanged(before, copy(before))).toBe(before)
})

test('an item that moved in its list is known again', () => {
  const before = [
    { messageId: 5, text: 'five' },
    { messageId: 6, text: 'six' },
  ]
  const joined = shareUnchanged(before, [{ messageId: 4, text: 'four' }, ...copy(before)])
  expect(joined.map(({ messageId }) => messageId)).toEqual([4, 5, 6])
  expect(joined[1]).toBe(before[0])
  expect(joined[2]).toBe(before[1])
})

test('a list that became shorter, or lost a field, is another one', () => {
  const before = { rows: [{ id: 1 }, { id: 2 }], note: 'new' }
  expect(shareUnchanged(before, { rows: [{ id: 1 }] })).toEqual({ rows: [{ id: 1 }] })
})

test('whatever was there before, the answer is equal to what is now', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, now) => {
      expect(shareUnchanged(before, copy(now))).toEqual(now)
    }),
  )
})
