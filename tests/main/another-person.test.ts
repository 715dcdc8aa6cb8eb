import { afterEach, expect, test } from 'vitest'
import { startFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let services: TestService[] = []
let network: FaultyNetwork
let device: Device

afterEach(async () => {
  await device.close()
  await network.close()
  for (const service of services.splice(0)) await service.close()
})

test('whoever has the address of an earlier person on a server that was set up anew gets an account of their own', async () => {
  services = [await startService(), await startService()]
  const [first, second] = services as [TestService, TestService]
  let present = first
  network = await startFaultyNetwork(() => Number(new URL(present.baseUrl).port))
  const baseUrl = `http://127.0.0.1:${network.port}/api/v1`
  const before = first.createUser('Maren Aske')
  second.createUser('Keiko Tamura')
  const after = second.createUser('Maren Aske')
  expect(after.email).toBe(before.email)
  expect(after.userId).not.toBe(before.userId)

  device = await openDevice(baseUrl, before)
  const { accountId } = device
  await device.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const draft = { recipient: null, content: 'words of the earlier person' }
  await device.bridge.call('save-draft', { accountId, draftId: null, draft })

  present = second
  network.cut()
  const signIn = ({ email, apiKey }: typeof after) =>
    device.bridge.call('sign-in', { baseUrl, credentials: { kind: 'api-key', email, apiKey } })
  const { accountId: own } = await signIn(after)
  expect(own).not.toBe(accountId)
  await device.until('sync-state', { accountId: own }, ({ status }) => status === 'synced')
  expect(await device.ask('drafts', { accountId: own })).toEqual([])
  await device.until('sync-state', { accountId }, ({ status }) => status === 'signed-out')
  expect((await device.ask('drafts', { accountId })).map(({ content }) => content)).toEqual([draft.content])

  // The same person gets the same account again.
  expect((await signIn(after)).accountId).toBe(own)
  expect(await device.ask('accounts', {})).toHaveLength(2)
})
