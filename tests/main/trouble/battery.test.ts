import { afterEach, expect, test, vi } from 'vitest'
import type { Engine } from '../../../src-main/engine/contract.ts'
import { createEngine } from '../../../src-main/engine/engine.ts'
import { connectBridge } from '../../../src-shared/bridge/connect.ts'
import { serveBridge } from '../../../src-shared/bridge/serve.ts'
import type { SyncState } from '../../../src-shared/model/account.ts'
import type { Platform } from '../../../src-main/engine/platform.ts'
import { reportCosts, reportNetwork } from '../../../src-renderer/views/main-window/report-network.ts'
import { portPair } from '../../support/device.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, platformOn, removeFolders } from './bench.ts'

// The machine's power state, and a window's network state, reach the code that fetches history.

let service: TestService | null = null
let engine: Engine | null = null
afterEach(async () => {
  await engine?.close()
  await service?.close()
  removeFolders()
})

/** A window on a machine whose account has more than one page of history. */
async function openWindow(power: Pick<Platform, 'isOnBattery'>) {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  const channel = service.createChannel('gauges', [maren.userId])
  for (let n = 0; n < 230; n++) service.send(maren.userId, channel, 'drift', `gauge ${n}`)
  engine = await createEngine({ ...platformOn(newFolder(), []), ...power })
  const [window, host] = portPair()
  serveBridge(host, engine, () => {})
  const bridge = connectBridge(window)
  const { baseUrl } = service
  const signIn = async () => {
    const { accountId } = await bridge.call('sign-in', {
      baseUrl,
      credentials: { kind: 'api-key', email: maren.email, apiKey: maren.apiKey },
    })
    const states: SyncState[] = []
    bridge.watch('sync-state', { accountId }, (value) => states.push(value))
    return states
  }
  return { bridge, signIn }
}

test('on its battery a machine leaves older history, and says so', async () => {
  const { signIn } = await openWindow({ isOnBattery: () => true })
  const states = await signIn()
  await expect.poll(() => states.at(-1)?.historyPause).toBe('battery')
})

test.each([
  ['asks to save data', { saveData: true }],
  ['is of a phone', { saveData: false, type: 'cellular' }],
])('on a network that %s older history waits, and says so', async (_name, facts) => {
  const { bridge, signIn } = await openWindow({})
  reportCosts(bridge, Object.assign(new EventTarget(), facts))
  const states = await signIn()
  await expect.poll(() => states.at(-1)?.historyPause).toBe('metered')
})

test.each([
  ['nothing is said of', undefined],
  ['is of a house', Object.assign(new EventTarget(), { saveData: false, type: 'wifi' })],
])('on a network that %s all of it comes', async (_name, network) => {
  const { bridge, signIn } = await openWindow({})
  reportCosts(bridge, network)
  const states = await signIn()
  await expect.poll(() => states.some(({ progress }) => progress !== null)).toBe(true)
  await expect.poll(() => states.at(-1)?.progress).toBe(null)
  expect(states.every(({ historyPause }) => historyPause === null)).toBe(true)
})

test('a window that says nonsense of the network is refused', async () => {
  const { bridge } = await openWindow({})
  await expect(bridge.call('report-network', { isMetered: 'a little' as never })).rejects.toThrow()
})

test('a window whose system has a network again tells it', async () => {
  const { bridge } = await openWindow({})
  const system = new EventTarget()
  vi.stubGlobal('addEventListener', system.addEventListener.bind(system))
  vi.stubGlobal('removeEventListener', system.removeEventListener.bind(system))
  const told = vi.spyOn(bridge, 'call')
  const stop = reportNetwork(bridge)
  system.dispatchEvent(new Event('online'))
  expect(told).toHaveBeenCalledExactlyOnceWith('network-is-back', {})
  await told.mock.results[0]?.value
  stop()
  system.dispatchEvent(new Event('online'))
  expect(told).toHaveBeenCalledOnce()
  vi.unstubAllGlobals()
})
