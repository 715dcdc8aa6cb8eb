import Sqlite from 'better-sqlite3'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { FailureError, failureOf } from '../../../src-shared/failure.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import type { Platform } from '../../../src-main/engine/platform.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import { startGate } from '../../support/gate.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, removeFolders, startBench, type EngineBench } from './bench.ts'

// Signing out while the device refuses a part of it.

let service: TestService
let bench: EngineBench
let directory: string
let accountId: AccountId
let keys: Map<string, string>
let canDelete: boolean
let clock: ManualClock

const secrets: Platform['secrets'] = {
  get: (key) => Promise.resolve(keys.get(key) ?? null),
  set: async (key, value) => void keys.set(key, value),
  delete: (key) =>
    canDelete
      ? Promise.resolve(void keys.delete(key))
      : Promise.reject(
          new FailureError({ kind: 'device', code: 'read-only', message: 'The keychain is locked.' }),
        ),
}
const start = () => startBench({ directory, clock, secrets })
const files = () => readdirSync(join(directory, 'accounts'))

beforeEach(async () => {
  keys = new Map()
  canDelete = true
  clock = manualClock()
  directory = newFolder()
  service = await startService()
  const { email, apiKey } = service.createUser('Maren Aske')
  bench = await start()
  const credentials = { kind: 'api-key', email, apiKey } as const
  accountId = (await bench.bridge.call('sign-in', { baseUrl: service.baseUrl, credentials })).accountId
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  await bench.bridge.call('set-device-setting', {
    settings: {
      savedSearches: [{ accountId, name: 'tides', text: 'tides' }],
      organizationOrder: [accountId],
    },
  })
})
afterEach(async () => {
  await bench.close()
  await service.close()
})
afterAll(removeFolders)

test('what a locked keychain keeps is removed later, by the same engine', async () => {
  canDelete = false
  await bench.bridge.call('sign-out', { accountId, discard: true })
  expect(await bench.ask('accounts', {})).toEqual([])
  expect(keys.size).toBe(1)
  canDelete = true
  await clock.advance(15_000)
  expect(keys.size).toBe(0)
  expect(files()).toEqual([])
})

test('what it keeps until the app ends is removed at the next start, and nothing else in the folder', async () => {
  canDelete = false
  await bench.bridge.call('sign-out', { accountId, discard: true })
  await bench.close()
  expect(files()).not.toEqual([])
  writeFileSync(join(directory, 'accounts/another.db'), 'of an account that no list knows')
  canDelete = true
  bench = await start()
  expect(keys.size).toBe(0)
  expect(files()).toEqual(['another.db'])
  const settings = await bench.ask('device-settings', {})
  expect(settings.savedSearches).toEqual([])
  expect(settings.organizationOrder).toEqual([])
})

test('while the list cannot be changed, the account goes on and can be signed out later', async () => {
  const other = new Sqlite(join(directory, 'app.db'))
  other.exec('BEGIN IMMEDIATE')
  const refused = await bench.bridge.call('sign-out', { accountId, discard: true }).then(
    () => null,
    (error: unknown) => failureOf(error),
  )
  other.exec('ROLLBACK')
  other.close()
  expect(refused).toMatchObject({ kind: 'device', code: 'in-use' })
  expect(await bench.ask('accounts', {})).toHaveLength(1)
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  expect(keys.size).toBe(1)

  await bench.bridge.call('sign-out', { accountId, discard: true })
  expect(keys.size).toBe(0)
  expect(existsSync(join(directory, 'accounts', `${accountId}.db`))).toBe(false)
  await bench.close()
  bench = await start()
  expect(await bench.ask('accounts', {})).toEqual([])
})

test('a draft whose end the server does not keep is not discarded unasked', async () => {
  const content = 'reads high '.repeat(1_200)
  const draft = { recipient: null, content }
  const { draftId } = await bench.bridge.call('save-draft', { accountId, draftId: null, draft })
  await bench.until('draft', { accountId, draftId }, (saved) => saved?.state === 'synced')
  expect((await bench.ask('storage', { accountId })).unsent).toBe(1)
  const refused = await bench.bridge.call('sign-out', { accountId, discard: false }).then(
    () => null,
    (error: unknown) => failureOf(error),
  )
  expect(refused).toMatchObject({ code: 'THINGS_WAIT' })
  await bench.bridge.call('save-draft', { accountId, draftId, draft: { recipient: null, content: 'short' } })
  await bench.until('storage', { accountId }, ({ unsent }) => unsent === 0)
  // Nor is an edit that was begun; the two texts of a snippet are one.
  const keep = (edited: 'snippet 5' | 'snippet-title 5', text: string | null) =>
    bench.bridge.call('keep-edit', {
      accountId,
      edited,
      edit: text === null ? null : { text, previous: null },
    })
  await keep('snippet 5', 'Bring two oars.')
  await keep('snippet-title 5', 'Oars')
  expect((await bench.ask('storage', { accountId })).unsent).toBe(1)
  await keep('snippet 5', null)
  await keep('snippet-title 5', null)
  expect((await bench.ask('storage', { accountId })).unsent).toBe(0)
})

test('who signs out while they sign in again stays signed out, and nothing of them is left', async () => {
  let isHolding = false
  const held: string[] = []
  const gate = await startGate(service.baseUrl, ({ method, url }) => {
    const isHeld = isHolding && method === 'GET' && url === '/api/v1/users/me'
    if (isHeld) held.push(url)
    return isHeld
  })
  const { email, apiKey } = service.createUser('Keiko Tamura')
  const credentials = { kind: 'api-key', email, apiKey } as const
  const baseUrl = `${gate.baseUrl}/api/v1`
  const { accountId: id } = await bench.bridge.call('sign-in', { baseUrl, credentials })
  await bench.until('sync-state', { accountId: id }, ({ status }) => status === 'synced')
  const before = [files(), [...keys.keys()]].map((names) => names.filter((name) => !name.includes(id)))

  isHolding = true
  const again = bench.bridge.call('sign-in-again', { accountId: id, credentials }).then(
    () => null,
    (error: unknown) => failureOf(error),
  )
  await expect.poll(() => held).toHaveLength(1)
  await bench.bridge.call('sign-out', { accountId: id, discard: true })
  gate.open()
  expect(await again).toMatchObject({ code: 'NO_SUCH_ACCOUNT' })
  expect((await bench.ask('accounts', {})).map((account) => account.id)).toEqual([accountId])
  expect([files(), [...keys.keys()]]).toEqual(before)
  gate.close()
})
