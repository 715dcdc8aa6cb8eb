import { expect, test } from 'vitest'
import { connectBridge } from '../../src-shared/bridge/connect.ts'
import { fingerprintOf, type OpeningAnswer } from '../../src-shared/bridge/opening.ts'
import { serveBridge, type BridgeServer } from '../../src-shared/bridge/serve.ts'
import { portPair } from '../support/device.ts'

/** An engine of one answer, which it says again whenever it is another. */
function engineWith(first: unknown) {
  const listeners = new Set<(json: string) => void>()
  const state = { answer: JSON.stringify(first) }
  const server: BridgeServer = {
    call: () => Promise.reject(new Error('Nobody is called.')),
    watch(_name, _params, update) {
      listeners.add(update)
      update(state.answer)
      return () => listeners.delete(update)
    },
  }
  return {
    server,
    change(value: unknown) {
      state.answer = JSON.stringify(value)
      for (const listener of listeners) listener(state.answer)
    },
  }
}

const openingOf = (value: unknown): readonly OpeningAnswer[] => [
  { name: 'notices', params: {}, fingerprint: fingerprintOf(JSON.stringify(value)), value },
]
const turn = () => new Promise((resolve) => setTimeout(resolve))

test('what the window was loaded with is there until the engine speaks, and is not said again', async () => {
  const { server, change } = engineWith(['one'])
  const [window, host] = portPair()
  serveBridge(host, server, () => {})
  const bridge = connectBridge(window, openingOf(['one']))
  const opening = bridge.opening('notices', {})
  expect(opening?.value).toEqual(['one'])
  expect(bridge.opening('accounts', {})).toBe(null)
  const heard: unknown[] = []
  bridge.watch('notices', {}, (value) => heard.push(value), { fingerprint: opening?.fingerprint })
  await turn()
  expect(heard).toEqual([])
  expect(bridge.opening('notices', {})).not.toBe(null)
  change(['one', 'two'])
  await turn()
  expect(heard).toEqual([['one', 'two']])
  expect(bridge.opening('notices', {})).toBe(null)
  // Back to the first: what is shown by now is another.
  change(['one'])
  await turn()
  expect(heard).toEqual([['one', 'two'], ['one']])
})

test('what changed while the window was loading is said at once', async () => {
  const { server } = engineWith(['two'])
  const [window, host] = portPair()
  serveBridge(host, server, () => {})
  const bridge = connectBridge(window, openingOf(['one']))
  const heard: unknown[] = []
  bridge.watch('notices', {}, (value) => heard.push(value), {
    fingerprint: bridge.opening('notices', {})?.fingerprint,
  })
  await turn()
  expect(heard).toEqual([['two']])
})

test('over another port everything is said again, whatever the window was loaded with', async () => {
  const { server } = engineWith(['one'])
  const [window] = portPair()
  const bridge = connectBridge(window, openingOf(['one']))
  const heard: unknown[] = []
  bridge.watch('notices', {}, (value) => heard.push(value), {
    fingerprint: bridge.opening('notices', {})?.fingerprint,
  })
  const [other, host] = portPair()
  serveBridge(host, server, () => {})
  bridge.reconnect(other)
  await turn()
  expect(heard).toEqual([['one']])
})

test('answers of another text have another fingerprint', () => {
  const texts = ['', '[]', '{"a":1}', '{"a":2}', '{"b":1}', '1'.repeat(1_000), '1'.repeat(1_001)]
  expect(new Set(texts.map(fingerprintOf)).size).toBe(texts.length)
  expect(fingerprintOf('{"a":1}')).toBe(fingerprintOf('{"a":1}'))
})
