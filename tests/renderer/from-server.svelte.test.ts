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

async function asked(answers: (() => unknown)[], isOnline: boolean) {
  let count = 0
  const ask = async () => {
    const answer = answers[Math.min(count++, answers.length - 1)]?.()
    if (answer instanceof Error) throw answer
    return answer
  }
  let answer: FromServer<unknown> | undefined
  const stop = $effect.root(() => {
    answer = new FromServer(() => isOnline, ask)
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
