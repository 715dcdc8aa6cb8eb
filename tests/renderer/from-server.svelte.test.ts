import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FailureError } from '../../src-shared/failure.ts'
import { FromServer } from '../../src-renderer/state/data/from-server.svelte.ts'

// An answer that is lost on the way although the connection holds, as after a restart of the server.

const lost = () =>
  new FailureError({ kind: 'offline', cause: 'unreachable', message: 'lost', mayHaveArrived: true } as never)
const refused = () => new FailureError({ kind: 'rejected', code: 'BAD_REQUEST', message: 'no', status: 400 })

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

async function asked(answers: (() => unknown)[], isOnline: boolean, isFinal = (_answer: unknown) => true) {
  let count = 0
  const ask = async () => {
    const answer = answers[Math.min(count++, answers.length - 1)]?.()
    if (answer instanceof Error) throw answer
    return answer
  }
  let answer: FromServer<unknown> | undefined
  const stop = $effect.root(() => {
    answer = new FromServer(() => isOnline, ask, isFinal)
  })
  for (let turn = 0; turn < 3; turn++) {
    flushSync()
    await vi.advanceTimersByTimeAsync(2_000)
  }
  flushSync()
  stop()
  return { count, current: answer?.current, failure: answer?.failure?.kind, timers: vi.getTimerCount() }
}

test('an answer from the server is asked for again while the connection holds', async () => {
  expect(await asked([lost, () => 'here'], true)).toEqual({
    ...{ count: 2, current: 'here', failure: undefined, timers: 0 },
  })
})

test('an answer from the server is not asked for again without a connection, nor if the server refused it', async () => {
  expect(await asked([lost], false)).toMatchObject({ count: 1, current: null, failure: 'offline' })
  expect(await asked([refused], true)).toMatchObject({ count: 1, current: null, failure: 'rejected' })
})

test('what this device knows is shown, and the server is asked again until it answers', async () => {
  const isWhole = (answer: unknown) => answer === 'whole'
  expect(await asked([() => 'known here', () => 'whole'], true, isWhole)).toMatchObject({
    ...{ count: 2, current: 'whole', timers: 0 },
  })
  expect(await asked([() => 'known here'], false, isWhole)).toMatchObject({ count: 1, current: 'known here' })
})

test('an answer that comes late from this device does not replace the server’s', async () => {
  let answerLate = (_answer: string) => {}
  const late = new Promise<string>((resolve) => (answerLate = resolve))
  let isOnline = $state(false)
  let count = 0
  let answer: FromServer<string> | undefined
  const stop = $effect.root(() => {
    answer = new FromServer(
      () => isOnline,
      () => (count++ === 0 ? late : Promise.resolve('whole')),
      (one) => one === 'whole',
    )
  })
  flushSync()
  isOnline = true
  flushSync()
  await vi.advanceTimersByTimeAsync(0)
  expect(answer?.current).toBe('whole')
  answerLate('known here')
  await vi.advanceTimersByTimeAsync(0)
  expect(answer?.current).toBe('whole')
  stop()
})

test('once an answer is about something else, the server is asked anew, and the answer stays until then', async () => {
  let basis = $state('one')
  let answer: FromServer<string> | undefined
  let count = 0
  const stop = $effect.root(() => {
    answer = new FromServer(
      () => true,
      async () => `${basis}, ${++count}`,
      () => true,
      () => basis,
    )
  })
  const shown = async () => {
    flushSync()
    await vi.advanceTimersByTimeAsync(0)
    return answer?.current
  }
  expect(await shown()).toBe('one, 1')
  basis = 'two'
  flushSync()
  expect(answer?.current).toBe('one, 1')
  expect(await shown()).toBe('two, 2')
  expect(await shown()).toBe('two, 2')
  stop()
})

test('an answer about something else that is lost is asked for again, and the former one stays until then', async () => {
  let basis = $state('one')
  let read = $state(0)
  let answer: FromServer<string> | undefined
  let count = 0
  const answers = ['whole, one', 'known here', 'whole, two']
  const stop = $effect.root(() => {
    answer = new FromServer(
      () => true,
      async () => (read < 0 ? '' : (answers[count++] ?? 'once too often')),
      (one) => one !== 'known here',
      () => basis,
    )
  })
  const shownAfter = async (ms: number) => {
    flushSync()
    await vi.advanceTimersByTimeAsync(ms)
    flushSync()
    await vi.advanceTimersByTimeAsync(0)
    return [answer?.current, count]
  }
  expect(await shownAfter(0)).toEqual(['whole, one', 1])
  basis = 'two'
  expect(await shownAfter(0)).toEqual(['whole, one', 2])
  // What is only read in order to ask is no reason to ask.
  read++
  expect(await shownAfter(0)).toEqual(['whole, one', 2])
  expect(await shownAfter(2_000)).toEqual(['whole, two', 3])
  expect(await shownAfter(2_000)).toEqual(['whole, two', 3])
  expect(vi.getTimerCount()).toBe(0)
  stop()
})
