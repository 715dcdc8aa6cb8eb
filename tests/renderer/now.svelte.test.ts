import { dayMs } from '../../src-shared/durations.ts'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nowForDays } from '../../src-renderer/state/appearance/now.ts'
import { shortDayName } from '../../src-renderer/time.ts'

// Words like "today" on rows that stay the same for longer than a day.

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('at midnight, and only then, what was said of today is said anew', () => {
  const evening = new Date(2026, 4, 12, 23, 58).getTime()
  vi.setSystemTime(evening)
  const words: string[] = []
  const stop = $effect.root(() => {
    $effect(() => void words.push(shortDayName(evening, nowForDays())))
  })
  flushSync()
  vi.advanceTimersByTime(60_000)
  flushSync()
  expect(words).toEqual(['Today'])
  vi.advanceTimersByTime(70_000)
  flushSync()
  expect(words).toEqual(['Today', 'Yesterday'])
  // The machine slept for days, and its timers did not run meanwhile.
  vi.setSystemTime(evening + 4 * dayMs)
  document.dispatchEvent(new Event('visibilitychange'))
  flushSync()
  expect(words).toEqual(['Today', 'Yesterday', 'Tuesday'])
  stop()
  flushSync()
  vi.runOnlyPendingTimers()
  expect(vi.getTimerCount()).toBe(0)
})
