import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../src-shared/ids.ts'

const kind = fc.constantFrom('a', 'd', 'f', 'o')
const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) })
/** What a platform's chance can be: 0 is included, 1 is not. */
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const at = (now: number, random: number) => ({ now: () => now, random: () => random })

test('a new id says its kind and consists of small letters and digits', () => {
  fc.assert(
    fc.property(kind, moment, chance, (letter, now, random) => {
      const id = newId(letter, at(now, random))
      expect(id).toMatch(/^[a-z0-9]{3,40}$/)
      expect(id[0]).toBe(letter)
    }),
  )
})

test('ids of one moment differ by chance, and ids of one chance by their moment', () => {
  const now = Date.UTC(2026, 2, 2, 9)
  const step = 2 ** -40
  const ids = [
    newId('d', at(now, 0)),
    newId('d', at(now, step)),
    newId('d', at(now, 1 - step)),
    newId('d', at(now + 1, 0)),
    newId('o', at(now, 0)),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})
