import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectBridge } from '../../src-shared/bridge/connect.ts'
import { serveBridge, type BridgeServer } from '../../src-shared/bridge/serve.ts'
import { accountId } from '../../src-shared/ids.ts'
import { portPair } from '../support/device.ts'

// Whatever a window sends is answered and hurts nobody, and nothing of a window outlives its port.

/** A server that records what reaches it, and a window that may send anything. */
function scene() {
  const log: string[] = []
  const reached: string[] = []
  const replies: { resolve(value: unknown): void; reject(reason: unknown): void }[] = []
  const live = new Set<(json: string) => void>()
  let stops = 0
  const server: BridgeServer = {
    call(name) {
      reached.push(`call ${name}`)
      // The test answers with what it wants.
      return new Promise((resolve, reject) => replies.push({ resolve, reject })) as never
    },
    watch(name, _params, update) {
      reached.push(`watch ${name}`)
      live.add(update)
      update('"now"')
      return () => {
        stops++
        live.delete(update)
      }
    },
  }
  const [window, host, close] = portPair()
  serveBridge(host, server, (line) => log.push(line))
  const heard: string[] = []
  window.onMessage((text) => heard.push(text))
  return {
    log,
    reached,
    replies,
    live,
    window,
    host,
    close,
    stops: () => stops,
    /** What the window hears after it has sent the texts. */
    async send(...texts: (string | object)[]) {
      const before = heard.length
      for (const text of texts) window.send(typeof text === 'string' ? text : JSON.stringify(text))
      await sleep(0)
      return heard.slice(before).map((text) => JSON.parse(text) as unknown)
    },
  }
}

const refusal = (id: number, message: string) => ({
  kind: 'failure',
  id,
  failure: { kind: 'rejected', message, code: 'BAD_CALL', status: 0 },
})

test('what nobody can answer stands in the log', async () => {
  const { send, log, reached } = scene()
  expect(
    await send('', 'hello', '{"kind":"call"', 'null', '7', '[]', '{}', { kind: 'call', id: 'one' }),
  ).toEqual([])
  expect(log).toEqual([
    ...Array.from({ length: 3 }, () => 'bridge: a window sent text that is not JSON'),
    ...Array.from({ length: 5 }, () => 'bridge: a window sent a message of an unknown form'),
  ])
  expect(reached).toEqual([])
})

test('unknown names, wrong types and unknown forms are refused, and nothing of them reaches the engine', async () => {
  const { send, log, reached } = scene()
  const unknown = 'This message has an unknown form.'
  expect(
    await send(
      { kind: 'call', id: 1, name: 'nonsense', input: {} },
      { kind: 'call', id: 2, name: 'toString', input: {} },
      { kind: 'call', id: 3, name: 'try-now', input: { accountId: 7 } },
      { kind: 'call', id: 4, name: 'try-now' },
      { kind: 'watch', id: 5, name: 'nonsense', params: {} },
      { kind: 'watch', id: 6, name: '__proto__', params: {} },
      { kind: 'watch', id: 7, name: 'feed', params: { accountId: 'a1', narrow: 'everything' } },
      { kind: 'dance', id: 8 },
      { kind: 'call', id: 1.5, name: 'try-now', input: {} },
      { kind: 'unwatch', id: -1 },
    ),
  ).toEqual([
    refusal(1, 'There is no call named nonsense.'),
    refusal(2, 'There is no call named toString.'),
    refusal(3, 'The call try-now was given something it does not take.'),
    refusal(4, unknown),
    refusal(5, 'There is no query named nonsense.'),
    refusal(6, 'There is no query named __proto__.'),
    refusal(7, 'The query feed was given something it does not take.'),
    refusal(8, unknown),
    refusal(1.5, unknown),
    refusal(-1, unknown),
  ])
  expect([reached, log]).toEqual([[], []])
})

test('a watch that is open is not opened twice; one that is not open can be stopped', async () => {
  const { send, reached, stops } = scene()
  const open = { kind: 'watch', id: 3, name: 'notices', params: {} }
  const now = { kind: 'update', id: 3, value: 'now' }
  expect(await send(open, open)).toEqual([now, refusal(3, 'This watch is open already.')])
  expect([reached, stops()]).toEqual([['watch notices'], 0])
  expect(
    await send({ kind: 'unwatch', id: 9 }, { kind: 'unwatch', id: 3 }, { kind: 'unwatch', id: 3 }),
  ).toEqual([])
  expect(stops()).toBe(1)
  expect(await send(open)).toEqual([now])
})

test('when its port closes, a window’s watches are stopped, once each, and nothing is sent to it any more', async () => {
  const { send, host, live, close, replies, stops } = scene()
  const sent: string[] = []
  for (const id of [1, 2, 3]) await send({ kind: 'watch', id, name: 'notices', params: {} })
  await send({ kind: 'unwatch', id: 2 }, { kind: 'call', id: 4, name: 'start-demo', input: {} })
  const updates = [...live]
  expect([updates.length, stops()]).toEqual([2, 1])
  close()
  expect([live.size, stops()]).toEqual([0, 3])
  host.send = (text) => void sent.push(text)
  for (const update of updates) update('"late"')
  replies[0]?.resolve('late')
  await sleep(0)
  expect(sent).toEqual([])
  close()
  expect(stops()).toBe(3)
})

test('answers find their calls in any order; those for nobody are passed over', async () => {
  const { window, host, replies } = scene()
  const bridge = connectBridge(window)
  const calls = [1, 2, 3].map(() => bridge.call('start-demo', {}))
  await sleep(0)
  for (const index of [2, 0, 1]) replies[index]?.resolve({ accountId: `a${index}` })
  expect(await Promise.all(calls)).toEqual([{ accountId: 'a0' }, { accountId: 'a1' }, { accountId: 'a2' }])
  const heard: unknown[] = []
  const stop = bridge.watch('notices', {}, (value) => heard.push(value))
  await sleep(0)
  stop()
  for (const id of [1, 4, 99]) {
    host.send(JSON.stringify({ kind: 'result', id, value: 'late' }))
    host.send(JSON.stringify({ kind: 'update', id, value: 'late' }))
    host.send(JSON.stringify({ kind: 'failure', id, failure: { kind: 'bug', message: 'late' } }))
  }
  await sleep(0)
  expect(heard).toEqual(['now'])
})

test('calls under way when the port closes are offline and may have arrived; later ones have not', async () => {
  const [window, host] = portPair()
  let closeWindow = () => {}
  const bridge = connectBridge({
    ...window,
    onClose(listener) {
      closeWindow = listener
      return () => {}
    },
  })
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => (error as { failure: unknown }).failure,
    )
  const account = { accountId: accountId('a1') }
  const underWay = [failureOf(bridge.call('try-now', account)), failureOf(bridge.call('start-demo', {}))]
  closeWindow()
  const lost = { kind: 'offline', mayHaveArrived: true }
  expect(await Promise.all(underWay)).toMatchObject([lost, lost])
  expect(await failureOf(bridge.call('try-now', account))).toMatchObject({ ...lost, mayHaveArrived: false })
  // A reply of the old port, and then a new one.
  host.send(JSON.stringify({ kind: 'result', id: 1, value: null }))
  const { window: again, replies } = scene()
  bridge.reconnect(again)
  const next = bridge.call('start-demo', {})
  await sleep(0)
  replies[0]?.resolve('here')
  expect(await next).toBe('here')
})
