import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { edgesOf } from '../../../src-main/queries/feed-edges.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import {
  addRange,
  cutRanges,
  endLiveRanges,
  endLiveRangesOf,
  extendLive,
  rangesOf,
  type Range,
} from '../../../src-main/store/ranges.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const directory = temporaryFolder(afterAll)
let store: Store
const key = 'combined'

beforeAll(() => {
  store = openStore(join(directory, 'account.db'), () => {})
})
beforeEach(() => store.write((db) => void db.run('DELETE FROM ranges')))
afterAll(() => store.close())

const range = (oldestId: number, newestId: number, flags: Partial<Range> = {}): Range => ({
  oldestId,
  newestId,
  reachesBeginning: false,
  isLive: false,
  ...flags,
})
const add = (...ranges: Range[]) =>
  store.write((db) => {
    for (const one of ranges) addRange(db, key, one)
  })
const known = () => rangesOf(store.db, key)

test('stretches that touch or overlap become one, others stay apart', () => {
  add(range(10, 20), range(40, 50), range(20, 30))
  expect(known()).toEqual([range(10, 30), range(40, 50)])
  add(range(25, 45, { isLive: false }))
  expect(known()).toEqual([range(10, 50)])
})

test('the beginning and the live end stay where they are', () => {
  add(range(5, 20, { reachesBeginning: true }), range(40, 60, { isLive: true }), range(15, 45))
  expect(known()).toEqual([range(5, 60, { reachesBeginning: true, isLive: true })])
  add(range(1, 10))
  expect(known()[0]).toMatchObject({ oldestId: 1, reachesBeginning: false, isLive: true })
})

test('events move a live end and nothing else', () => {
  add(range(1, 5), range(10, 20, { isLive: true }))
  store.write((db) => {
    extendLive(db, key, 33)
    extendLive(db, key, 12)
    endLiveRanges(db)
    extendLive(db, key, 44)
  })
  expect(known()).toEqual([range(1, 5), range(10, 33)])
})

test('leaving a channel ends what is live of it and of its topics, not of others', () => {
  const keys = ['channel:7', 'topic:7:ebb', 'topic:7:a_b%', 'channel:70', 'topic:70:ebb', 'combined']
  store.write((db) => {
    for (const one of keys) addRange(db, one, range(1, 5, { isLive: true }))
    endLiveRangesOf(db, 7)
  })
  expect(keys.filter((one) => rangesOf(store.db, one)[0]?.isLive)).toEqual([
    'channel:70',
    'topic:70:ebb',
    'combined',
  ])
})

const stretch = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 30 }))
  .map(([first, length]) => ({ first, last: first + length }))

test('the known ranges are the union of what was added, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(stretch, { minLength: 1, maxLength: 8 }), (stretches) => {
      store.write((db) => void db.run('DELETE FROM ranges'))
      add(...stretches.map(({ first, last }) => range(first, last)))
      const isIn = (id: number) => known().some(({ oldestId, newestId }) => oldestId <= id && id <= newestId)
      for (let id = 1; id <= 95; id++) {
        expect(isIn(id)).toBe(stretches.some(({ first, last }) => first <= id && id <= last))
      }
    }),
    { numRuns: 200 },
  )
})

test('a hole is exactly where messages are missing, and filling it restores everything', () => {
  fc.assert(
    fc.property(
      fc.array(stretch, { minLength: 1, maxLength: 5 }),
      stretch,
      fc.boolean(),
      fc.boolean(),
      (stretches, hole, reachesBeginning, isLive) => {
        store.write((db) => void db.run('DELETE FROM ranges'))
        add(...stretches.map(({ first, last }) => range(first, last)))
        const all = known()
        store.write((db) => {
          db.run('DELETE FROM ranges')
          for (const [index, one] of all.entries()) {
            addRange(db, key, {
              ...one,
              reachesBeginning: reachesBeginning && index === 0,
              isLive: isLive && index === all.length - 1,
            })
          }
        })
        const before = known()
        const pieces = store.write((db) => cutRanges(db, key, hole.first, hole.last))
        const isIn = (ranges: Range[], id: number) =>
          ranges.some(({ oldestId, newestId }) => oldestId <= id && id <= newestId)
        for (let id = 1; id <= 95; id++) {
          const isMissing = hole.first <= id && id <= hole.last
          expect(isIn(known(), id)).toBe(isIn(before, id) && !isMissing)
        }
        add(...pieces)
        // The ends that nothing lies beyond include what was missing there.
        const restored = before.map((one) => ({
          ...one,
          oldestId: one.reachesBeginning ? Math.min(one.oldestId, hole.first) : one.oldestId,
          newestId: one.isLive ? Math.max(one.newestId, hole.last) : one.newestId,
        }))
        expect(known()).toEqual(restored)
      },
    ),
    { numRuns: 300 },
  )
})

test('a feed is told of every hole in it, also of one behind another', () => {
  add(range(1, 3), range(8, 9))
  const rows = [1, 3, 5, 8, 9].map((id) => ({ message_id: id }))
  expect(edgesOf(store.db, { kind: 'combined' }, rows, false, false).gapsAfter).toEqual([3, 5])
})
