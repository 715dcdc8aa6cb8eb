import { expect, test } from 'vitest'
import type { SyncState, SyncStatus } from '../../src-shared/model/account.ts'
import { isAway, stateWords } from '../../src-renderer/views/all-organizations/state-words.ts'
import { attemptProgress, waitWords } from '../../src-renderer/views/main-window/attempt-progress.ts'
import { diskWords } from '../../src-renderer/views/main-window/disk-words.ts'
import { HeldState, variantOf, type PillClock } from '../../src-renderer/views/main-window/held-state.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** A clock that goes when it is told to. */
function handClock() {
  let now = 1_000_000
  let waiting: { at: number; run: () => void }[] = []
  const clock: PillClock = {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run }
      waiting.push(entry)
      return () => (waiting = waiting.filter((one) => one !== entry))
    },
  }
  const go = (ms: number) => {
    const end = now + ms
    for (;;) {
      const next = waiting.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end)
      if (next === undefined) break
      waiting = waiting.filter((one) => one !== next)
      now = next.at
      next.run()
    }
    now = end
  }
  return { clock, go, now: () => now }
}

const state = (status: SyncStatus, more: Partial<SyncState> = {}): SyncState => ({
  status,
  since: 0,
  waiting: 0,
  needsYou: { changes: 0, messages: 0 },
  lastAttemptAt: null,
  nextAttemptAt: null,
  attempt: 0,
  lastSyncedAt: null,
  problem: null,
  progress: null,
  historyPause: null,
  hasSynced: true,
  fileNotice: null,
  diskTrouble: null,
  diskFreeBytes: null,
  ...more,
})

function pill(first: SyncState | undefined) {
  const hand = handClock()
  const shown: string[] = []
  const held = new HeldState(hand.clock, first, (now) => shown.push(`${now?.status} ${now?.waiting}`))
  return { ...hand, held, shown, last: () => shown.at(-1) }
}

test('a look stays for 1.2 s, and what was only between is not shown', () => {
  const { held, go, shown, last } = pill(state('synced'))
  held.see(state('syncing', { waiting: 1 }))
  expect(last()).toBe('syncing 1')
  go(300)
  held.see(state('synced'))
  expect(last()).toBe('syncing 1')
  go(300)
  held.see(state('syncing', { waiting: 2 }))
  // The same look goes through at once, with its count.
  expect(last()).toBe('syncing 2')
  held.see(state('synced'))
  go(599)
  expect(last()).toBe('syncing 2')
  go(1)
  expect(shown).toEqual(['syncing 1', 'syncing 2', 'synced 0'])
})

test('what goes out is counted once it does for 2 s, and whatever arrives before never is', () => {
  const { clock, go } = handClock()
  const counts: string[] = []
  const held = new HeldState(clock, state('synced'), (now, count) =>
    counts.push(`${now?.status}${count === null ? '' : ` ${count.at} of ${count.of}`}`),
  )
  const last = () => counts.at(-1)
  // Clicks one after the other: each arrives before the next.
  for (let click = 0; click < 4; click += 1) {
    held.see(state('syncing', { waiting: 1 }))
    go(700)
    held.see(state('synced'))
    go(100)
  }
  expect(new Set(counts)).toEqual(new Set(['syncing', 'synced']))
  go(5_000)
  expect(last()).toBe('synced')

  held.see(state('syncing', { waiting: 40 }))
  go(1_000)
  held.see(state('syncing', { waiting: 31 }))
  go(999)
  expect(last()).toBe('syncing')
  // Nothing has to happen for the count to come.
  go(1)
  expect(last()).toBe('syncing 10 of 40')
  held.see(state('syncing', { waiting: 33 }))
  expect(last()).toBe('syncing 10 of 42')
  held.see(state('synced'))
  held.see(state('syncing', { waiting: 2 }))
  go(1_999)
  expect(last()).toBe('syncing')
})

test('what is written while history is fetched is not counted at once', () => {
  const { clock, go } = handClock()
  const counts: (number | undefined)[] = []
  const held = new HeldState(clock, state('syncing'), (_, count) => counts.push(count?.of))
  held.see(state('syncing'))
  go(60_000)
  held.see(state('syncing', { waiting: 1 }))
  expect(counts).toEqual([undefined, undefined])
  go(2_000)
  expect(counts.at(-1)).toBe(1)
  held.see(state('syncing', { waiting: 1 }))
  held.end()
})

test('a drop is told once it is 4 s old, and never when the server is back by then', () => {
  const { held, go, shown, last, now } = pill(state('synced'))
  held.see(state('offline', { since: now() }))
  go(3_900)
  held.see(state('synced'))
  go(10_000)
  expect(shown).toEqual(['synced 0'])
  held.see(state('offline', { since: now() }))
  go(3_999)
  expect(last()).toBe('synced 0')
  go(1)
  expect(last()).toBe('offline 0')
  go(100)
  // From one trouble to another nothing is held back; it is one look.
  held.see(state('unreachable', { since: now() }))
  expect(last()).toBe('unreachable 0')
})

test('a drop that the engine has waited out is told at once, and so is a start without a network', () => {
  const dropped = pill(state('synced'))
  dropped.held.see(state('offline', { since: dropped.now() - 4_000 }))
  expect(dropped.last()).toBe('offline 0')
  const started = pill(undefined)
  started.held.see(state('connecting'))
  expect(started.last()).toBe('connecting 0')
  started.held.see(state('offline', { since: started.now() }))
  started.go(1_200)
  expect(started.last()).toBe('offline 0')
})

test('what the server refused comes before all that goes well, and after a server that does not answer', () => {
  const needsYou = { changes: 1, messages: 1 }
  for (const status of ['synced', 'syncing'] as const) {
    expect(variantOf(state(status, { needsYou }))).toBe('bad')
    expect(stateWords(state(status, { needsYou }), true)).toBe('1 message needs you')
  }
  expect(stateWords(state('synced', { needsYou: { changes: 3, messages: 2 } }), true)).toBe(
    '3 changes need you',
  )
  expect(variantOf(state('synced'))).toBe('ok')
  expect(variantOf(state('offline', { needsYou }))).toBe('off')
  expect(stateWords(state('offline', { needsYou }), true)).toBe('Offline')
})

test('a device that keeps nothing comes before all else, and is no server that does not answer', () => {
  for (const status of ['synced', 'offline', 'unreachable'] as const) {
    const full = state(status, { diskTrouble: 'disk-full' })
    expect(variantOf(full)).toBe('bad')
    expect(stateWords(full, true)).toBe('Can’t save')
    expect(isAway(full)).toBe(false)
  }
  expect(isAway(state('unreachable'))).toBe(true)
  expect(isAway(state('offline'))).toBe(true)
  expect(isAway(state('synced'))).toBe(false)
})

test('a clock that was set back holds nothing for longer, and what has ended shows nothing', () => {
  const { held, go, last, now, shown } = pill(state('synced'))
  held.see(state('offline', { since: now() + 3_600_000 }))
  go(4_000)
  expect(last()).toBe('offline 0')
  held.see(state('synced'))
  held.end()
  go(10_000)
  expect(shown).toEqual(['offline 0'])
})

test('the time to the next attempt is told by the second, and aloud in steps of ten', () => {
  const plan = { lastAttemptAt: 100_000, nextAttemptAt: 130_000 }
  expect(attemptProgress({ lastAttemptAt: null, nextAttemptAt: null }, 0)).toBeNull()
  expect(attemptProgress(plan, 100_000)).toEqual({ percent: 0, seconds: 30, saidPercent: 0, saidSeconds: 30 })
  expect(attemptProgress(plan, 115_500)).toMatchObject({ percent: 52, seconds: 15, saidSeconds: 20 })
  expect(attemptProgress(plan, 119_000)).toMatchObject({ seconds: 11, saidSeconds: 20, saidPercent: 33 })
  expect(attemptProgress(plan, 140_000)).toMatchObject({ percent: 100, seconds: 0, saidSeconds: 0 })
  const { nextAttempt, nextAttemptAloud } = t.mainWindow.sync
  expect(waitWords(12, nextAttempt)).toBe('Next attempt in 12 s')
  expect(waitWords(12, nextAttemptAloud)).toBe('Next attempt in 12 seconds')
  expect(waitWords(290, nextAttempt)).toBe('Next attempt in 5 min')
  expect(waitWords(0, nextAttemptAloud)).toBe('Trying now')
})

test('the banner of a full disk says how much is free, where the system tells', () => {
  expect(diskWords('disk-full', 3e6)).toContain('on this disk, 3 MB free.')
  expect(diskWords('disk-full', 0)).toMatch(/on this disk, 0 \w+ free\./)
  expect(diskWords('disk-full', null)).toContain('on this disk.')
})
