import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { FailureError } from '../../../src-shared/failure.ts'
import type { Platform } from '../../../src-main/engine/platform.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startFaultyNetwork, type FaultyNetwork } from '../../support/faulty-network.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, removeFolders, startBench, type EngineBench } from './bench.ts'

// The account's key is missing, or its keychain is.

let service: TestService
let network: FaultyNetwork
let bench: EngineBench | null = null

beforeAll(async () => {
  service = await startService()
  network = await startFaultyNetwork(() => Number(new URL(service.baseUrl).port))
})
afterEach(async () => {
  await bench?.close()
  bench = null
})
afterAll(async () => {
  await network.close()
  await service.close()
  removeFolders()
})

/** A keychain that can be unavailable. */
function keychain() {
  const kept = new Map<string, string>()
  let isThere = true
  const secrets: Platform['secrets'] = {
    get: (key) =>
      isThere
        ? Promise.resolve(kept.get(key) ?? null)
        : Promise.reject(
            new FailureError({ kind: 'device', code: 'no-keychain', message: 'The key cannot be opened.' }),
          ),
    set: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
  }
  return { secrets, kept, be: (there: boolean) => (isThere = there) }
}

let people = 0

/** How many connections were made, once those that were under way when the engine closed have been counted. */
async function allConnections(): Promise<number> {
  for (let last = -1; last !== network.connections;) {
    last = network.connections
    await sleep(200)
  }
  return network.connections
}

test.each(['whose keychain is away', 'that has no key'])(
  'an account %s asks to sign in and sends nothing',
  async (what) => {
    const person = service.createUser(`Maren Aske ${++people}`)
    const credentials = { kind: 'api-key', email: person.email, apiKey: person.apiKey } as const
    const { secrets, kept, be } = keychain()
    const directory = newFolder()
    bench = await startBench({ directory, clock: manualClock(), secrets })
    const baseUrl = `http://127.0.0.1:${network.port}/api/v1`
    const { accountId } = await bench.bridge.call('sign-in', { baseUrl, credentials })
    await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
    await bench.close()

    if (what === 'that has no key') kept.clear()
    else be(false)
    const before = await allConnections()
    bench = await startBench({ directory, clock: manualClock(), secrets })
    const { problem } = await bench.until(
      'sync-state',
      { accountId },
      ({ status }) => status === 'signed-out',
    )
    expect(problem).toMatch(
      what === 'that has no key' ? /^The key of this account isn’t/ : /^The key cannot be opened/,
    )
    expect(network.connections).toBe(before)

    be(true)
    await bench.bridge.call('sign-in-again', { accountId, credentials })
    await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  },
)
