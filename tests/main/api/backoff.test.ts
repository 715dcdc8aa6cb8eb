import { expect, test } from 'vitest'
import { retryDelayMs } from '../../../src-main/api/backoff.ts'

test('waits grow to a minute and stay there', () => {
  const waits = [1, 2, 3, 4, 5, 6, 60].map((attempts) => retryDelayMs(attempts, { random: () => 0.5 }))
  expect(waits).toEqual([2_000, 5_000, 15_000, 30_000, 60_000, 60_000, 60_000])
})

test('chance moves a wait by no more than a tenth either way', () => {
  expect(retryDelayMs(3, { random: () => 0 })).toBe(13_500)
  expect(retryDelayMs(3, { random: () => 0.999_999 })).toBe(16_500)
})
