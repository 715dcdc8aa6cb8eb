import { afterAll, expect, test } from 'vitest'
import type { Engine } from '../../../src-main/engine/contract.ts'
import { createEngine } from '../../../src-main/engine/engine.ts'
import { connectBridge } from '../../../src-shared/bridge/connect.ts'
import { serveBridge } from '../../../src-shared/bridge/serve.ts'
import type { SyncState } from '../../../src-shared/model/account.ts'
import { portPair } from '../../support/device.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, platformOn, removeFolders } from './bench.ts'

// What the machine says of its power reaches what fetches history.

let service: TestService | null = null
let engine: Engine | null = null
afterAll(async () => {
  await engine?.close()
  await service?.close()
  removeFolders()
})

test('on its battery a machine leaves older history, and says so', async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  const channel = service.createChannel('gauges', [maren.userId])
  // More than one page.
  for (let n = 0; n < 230; n++) service.send(maren.userId, channel, 'drift', `gauge ${n}`)
  engine = await createEngine({ ...platformOn(newFolder(), []), isSparing: () => true })
  const [window, host] = portPair()
  serveBridge(host, engine, () => {})
  const bridge = connectBridge(window)
  const { accountId } = await bridge.call('sign-in', {
    baseUrl: service.baseUrl,
    credentials: { kind: 'api-key', email: maren.email, apiKey: maren.apiKey },
  })
  let state: SyncState | undefined
  const stop = bridge.watch('sync-state', { accountId }, (value) => (state = value))
  await expect.poll(() => state?.isHistoryPaused).toBe(true)
  stop()
})
