import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerSearchResults } from '../../src-shared/bridge/calls.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { SearchSession } from '../../src-renderer/views/search/search-session.svelte.ts'

// When the server is asked to complete a search.

let isOnline: boolean
let asked: string[]
let answers: (() => void)[]
let session: SearchSession
const page: ServerSearchResults = { results: [], next: null }

beforeEach(() => {
  vi.useFakeTimers()
  isOnline = false
  asked = []
  answers = []
  const bridge = {
    call: (_name: string, { text }: { text: string }) => {
      asked.push(text)
      return new Promise<ServerSearchResults>((resolve) => answers.push(() => resolve(page)))
    },
  } as unknown as Bridge
  session = new SearchSession(bridge, 'one', () => isOnline)
})
afterEach(() => void vi.useRealTimers())

const answer = async () => {
  answers.shift()?.()
  await vi.advanceTimersByTimeAsync(0)
}

test('a search typed without a connection is completed once there is one', async () => {
  session.type('gauge')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toEqual([])
  isOnline = true
  session.onConnected()
  expect(asked).toEqual(['gauge'])
  expect(session.server.isAnswered).toBe(false)
  await answer()
  expect(session.server.isAnswered).toBe(true)
  // It has answered, so the next connection brings nothing new.
  session.onConnected()
  expect(asked).toEqual(['gauge'])
})

test('nothing has been answered before typing pauses, and the pause asks only once', async () => {
  isOnline = true
  session.onConnected()
  session.type('gauge')
  session.onConnected()
  expect(asked).toEqual([])
  expect(session.server.isAnswered).toBe(false)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toEqual(['gauge'])
  session.onConnected()
  expect(asked).toEqual(['gauge'])
  await answer()
  session.type('gauges')
  expect(session.server.isAnswered).toBe(false)
})

test('a condition is negated and back, in its place', () => {
  session.show('channel:tides is:starred gauge')
  const before = session.text
  session.flip(session.terms[0]!)
  expect(session.text).toBe(`-${before}`)
  session.flip(session.terms[0]!)
  expect(session.text).toBe(before)
})

test('a condition counts once its value is whole, without a space after it, and only once', () => {
  session.type('gauge has:reac')
  expect(session.text).toBe('gauge')
  session.type('gauge has:reaction')
  expect(session.text).toBe('has:reaction gauge')
  expect(session.has('has', 'reaction')).toBe(true)
  session.toggle('has', 'link')
  expect(session.text.trim()).toBe('has:reaction has:link gauge')
  expect(session.typed).toBe('gauge ')
  session.type('gauge has:link ')
  session.type('gauge is:starred')
  session.finish()
  expect(session.terms.map(({ operand }) => operand)).toEqual(['reaction', 'link', 'starred'])
  session.toggle('has', 'reaction')
  expect(session.text.trim()).toBe('has:link is:starred gauge')
})
