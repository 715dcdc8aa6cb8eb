import { expect, test } from 'vitest'
import { enlarged, fittingScale, shrunk, turnedScale } from '../../src-renderer/views/feed/picture-zoom.ts'

const room = { width: 1_200, height: 800 }

test('a large picture is made to fit, a small one keeps its size', () => {
  expect(fittingScale({ width: 4_800, height: 1_600 }, room)).toBe(0.25)
  expect(fittingScale({ width: 1_000, height: 3_200 }, room)).toBe(0.25)
  expect(fittingScale({ width: 40, height: 30 }, room)).toBe(1)
  expect(fittingScale({ width: 0, height: 0 }, room)).toBe(1)
})

test('steps lead over the actual size to a largest one, and back to where all of it fits', () => {
  expect([enlarged(0.6), enlarged(0.75), enlarged(1), enlarged(8)]).toEqual([0.75, 1, 1.5, 8])
  expect([shrunk(1.5, 0.6), shrunk(1, 0.6), shrunk(0.75, 0.6), shrunk(0.6, 0.6)]).toEqual([
    1,
    0.75,
    null,
    null,
  ])
  // A small picture that was enlarged.
  expect([shrunk(1.5, 1), shrunk(1, 1)]).toEqual([null, null])
})

test('the wheel zooms in proportion, within the same limits', () => {
  const once = turnedScale(1, 0.5, -60) ?? 0
  expect(once).toBeGreaterThan(1.1)
  expect(turnedScale(once, 0.5, 60)).toBeCloseTo(1)
  expect(turnedScale(0.55, 0.5, 100)).toBeNull()
  expect(turnedScale(7, 0.5, -1_000)).toBe(8)
  // Some mice report very much at once.
  expect(turnedScale(1, 0.5, -5_000)).toBe(turnedScale(1, 0.5, -120))
})
