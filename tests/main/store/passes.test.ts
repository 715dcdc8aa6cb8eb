import { expect, test } from 'vitest'
import { Watches, type Turns } from '../../../src-main/store/watches.ts'

// No turn of the event loop is spent on more than 8 ms of queries and the one under way, and passes begin 16 ms apart.

/** Time that stands still, unless a query takes some or a turn is waited for. */
function manualTurns() {
  let now = 1_000
  let later: { due: number; work: () => void }[] = []
  const turns: Turns = {
    now: () => now,
    after: (ms, work) => void later.push({ due: now + ms, work }),
  }
  return {
    turns,
    get now() {
      return now
    },
    spend: (ms: number) => void (now += ms),
    /** Runs what is due by now, as one turn does; returns how long it took. */
    turn(): number {
      const began = now
      const due = later.filter((one) => one.due <= now)
      later = later.filter((one) => one.due > now)
      for (const { work } of due) work()
      return now - began
    },
    /** Whether anything is planned. */
    isPlanned: () => later.length > 0,
    /** Moves on to what is planned next. */
    skip: () => void (now = Math.max(now, Math.min(...later.map(({ due }) => due)))),
  }
}

function scene() {
  const time = manualTurns()
  const log: string[] = []
  const state = { commits: 0, before: 0 }
  const watches = new Watches(
    (line) => log.push(line),
    () => state.before++,
    time.turns,
  )
  /** What ran, in its order, with the state that it saw. */
  const ran: string[] = []
  const commit = (...tables: string[]) => {
    state.commits++
    watches.changed(tables)
  }
  return {
    time,
    log,
    state,
    watches,
    ran,
    commit,
    /** Watches a table with a query that takes so long. */
    query(name: string, ms: number, table = 'messages', then: () => void = () => {}) {
      let isFirst = true
      return watches.add((tables) => {
        tables.add(table)
        if (!isFirst) {
          time.spend(ms)
          ran.push(`${name} ${state.commits}`)
          then()
        }
        isFirst = false
      })
    },
    /** Passes turns until nothing is planned; returns how long the longest took. */
    rest(): number {
      let longest = 0
      while (time.isPlanned()) {
        time.skip()
        longest = Math.max(longest, time.turn())
      }
      return longest
    },
  }
}

test('a change after a rest is shown in the next turn, and listeners hear of each in the next turn', () => {
  const { time, state, watches, ran, commit, query } = scene()
  let heard = 0
  watches.addListener(['messages'], () => heard++)
  query('feed', 2)
  commit('messages')
  commit('messages')
  time.turn()
  expect([ran, heard, state.before]).toEqual([['feed 2'], 1, 1])
  // While commits keep coming, passes begin 16 ms apart; listeners and the journal do not wait for them.
  const began: number[] = []
  for (let commits = 0; commits < 100; commits++) {
    const before = ran.length
    commit('messages')
    time.spend(1)
    time.turn()
    if (ran.length > before) began.push(time.now - 2)
  }
  expect([heard, state.before]).toEqual([101, 101])
  const gaps = began.slice(1).map((at, index) => at - began[index]!)
  expect(began.length).toBeGreaterThan(4)
  expect(gaps.every((gap) => gap >= 16 && gap <= 18)).toBe(true)
  time.spend(100)
  time.turn()
  expect(ran.at(-1)).toBe('feed 102')
  time.spend(16)
  commit('messages')
  time.turn()
  expect(ran.at(-1)).toBe('feed 103')
})

test('a pass that has taken 8 ms goes on in the next turn, and runs each query once', () => {
  const { time, ran, commit, query, rest } = scene()
  for (const [name, ms] of Object.entries({ sidebar: 3, inbox: 6, totals: 1, feed: 4, outbox: 5 }))
    query(name, ms)
  commit('messages')
  expect(time.turn()).toBe(9)
  // What was opened last is first.
  expect(ran).toEqual(['outbox 1', 'feed 1'])
  expect(time.turn()).toBe(10)
  expect(ran).toEqual(['outbox 1', 'feed 1', 'totals 1', 'inbox 1', 'sidebar 1'])
  expect(rest()).toBe(0)
  expect(ran).toHaveLength(5)
})

test('what changes during a pass is shown with the newest state, and nothing is passed over', () => {
  const { time, ran, commit, query, rest } = scene()
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  for (const name of names) query(name, 6)
  for (let commits = 0; commits < 50; commits++) {
    commit('messages')
    expect(time.turn()).toBeLessThanOrEqual(12)
  }
  expect(rest()).toBeLessThanOrEqual(12)
  for (const name of names) {
    const own = ran.filter((line) => line.startsWith(name))
    expect(own.at(-1)).toBe(`${name} 50`)
    // Each had its turn in every pass; the last one was only of those that had run before the last change.
    expect(Math.abs(own.length - ran.length / names.length)).toBeLessThanOrEqual(1)
  }
})

test('a query that is touched by another one runs once more, in the next pass', () => {
  const { time, ran, commit, query, rest } = scene()
  let isTold = false
  query('early', 1, 'drafts', () => {
    if (isTold) return
    isTold = true
    commit('drafts', 'messages')
  })
  query('late', 1)
  commit('drafts', 'messages')
  time.turn()
  expect(ran).toEqual(['late 1', 'early 1'])
  rest()
  expect(ran).toEqual(['late 1', 'early 1', 'late 2', 'early 2'])
})

test('a query that fails stops no other; a stopped one does not run, nor anything after the end', () => {
  const { time, log, watches, ran, commit, query, rest } = scene()
  const stopFirst = query('first', 6)
  query('second', 6)
  query('third', 6, 'messages', () => {
    throw new Error('not now')
  })
  commit('messages')
  time.turn()
  expect(log.join('\n')).toContain('not now')
  expect(ran).toEqual(['third 1', 'second 1'])
  stopFirst()
  rest()
  expect(ran).toEqual(['third 1', 'second 1'])

  // In the middle of a pass, by one of its own queries and between two turns.
  query('closing', 6, 'users', () => watches.close())
  commit('messages', 'users')
  rest()
  expect(ran.slice(2)).toEqual(['closing 2'])
  commit('messages')
  rest()
  expect(ran).toHaveLength(3)

  const other = scene()
  for (const name of ['a', 'b', 'c']) other.query(name, 9)
  other.commit('messages')
  other.time.turn()
  other.watches.close()
  other.rest()
  expect(other.ran).toEqual(['c 1'])
})
