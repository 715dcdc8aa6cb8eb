import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

// A person's address and name, and the organization's name, change while an account is signed in.

let service: TestService
let device: Device
let maren: ReturnType<TestService['createUser']>
let channel: number

const change = async (path: string, form: Record<string, string>, who = maren) => {
  const authorization = `Basic ${Buffer.from(`${who.email}:${who.apiKey}`).toString('base64')}`
  const body = new URLSearchParams(form)
  const answer = await fetch(`${service.baseUrl}${path}`, {
    method: 'PATCH',
    headers: { authorization },
    body,
  })
  expect(answer.status).toBe(200)
}
const changeAddress = async (email: string) => {
  await change('/settings', { email })
  const link = /\S+\/confirm-email\/\S+/.exec(service.mails.at(-1)?.text ?? '')?.[0] ?? ''
  expect((await fetch(link)).status).toBe(200)
  maren = { ...maren, email }
}
const hears = async (unread: number) => {
  service.send(service.owner.user_id, channel, 'drift', 'hello')
  await device.until('accounts', {}, ([account]) => account?.unreadCount === unread)
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
}

beforeEach(async () => {
  service = await startService()
  maren = service.createUser('Maren Aske')
  channel = service.createChannel('gauges', [maren.userId])
})
afterEach(async () => {
  await device.close()
  await service.close()
})

test.each([1, 3])(
  'an account stays signed in when its address changes (visibility %i), also after a restart',
  async (visibility) => {
    await change('/settings', { email_address_visibility: String(visibility) })
    device = await openDevice(service.baseUrl, maren)
    await hears(1)
    await changeAddress('maren@new.example.org')
    await hears(2)
    await device.restart()
    await hears(3)
    // Nobody told this device.
    await device.engine.close()
    await changeAddress('maren@newer.example.org')
    await device.restart()
    await hears(4)
  },
)

test('an account that signed in with its hidden address stays signed in when the real one is shown', async () => {
  await change('/settings', { email_address_visibility: '3' })
  const hidden = `user${maren.userId}@hidden.invalid`
  device = await openDevice(service.baseUrl, { ...maren, email: hidden })
  await hears(1)
  await change('/settings', { email_address_visibility: '1' })
  await device.until('accounts', {}, ([account]) => account?.email === maren.email)
  await hears(2)
})

test('who signs in with the other one of their addresses gets the same account', async () => {
  await change('/settings', { email_address_visibility: '3' })
  device = await openDevice(service.baseUrl, maren)
  await hears(1)
  const { accountId } = device
  for (const email of [`user${maren.userId}@hidden.invalid`, maren.email]) {
    const credentials = { kind: 'api-key', email, apiKey: maren.apiKey } as const
    const again = await device.bridge.call('sign-in', { baseUrl: service.baseUrl, credentials })
    expect(again.accountId).toBe(accountId)
    await hears(email === maren.email ? 3 : 2)
  }
  expect(await device.ask('accounts', {})).toHaveLength(1)
})

test('a key that is refused under every address of the person signs the account out, and the address stays', async () => {
  await change('/settings', { email_address_visibility: '3' })
  device = await openDevice(service.baseUrl, maren)
  await hears(1)
  service.database.run('UPDATE users SET api_key = ? WHERE user_id = ?', 'another', maren.userId)
  service.send(service.owner.user_id, channel, 'drift', 'hello')
  const { accountId } = device
  await device.until('sync-state', { accountId }, ({ status }) => status === 'signed-out')
  expect((await device.ask('accounts', {}))[0]?.email).toBe(maren.email)
})

test('a new name of the person or the organization is in the list of accounts at once, and stays there', async () => {
  device = await openDevice(service.baseUrl, maren)
  await device.until('accounts', {}, ([account]) => account?.fullName === 'Maren Aske')
  await change('/settings', { full_name: 'Maren Lind' })
  await device.until('accounts', {}, ([account]) => account?.fullName === 'Maren Lind')
  const { owner } = service
  const asOwner = { ...maren, email: owner.email, apiKey: owner.api_key }
  await change('/realm', { name: 'Skerry Station' }, asOwner)
  const isNamed = ([account]: readonly { fullName: string; organizationName: string }[]) =>
    account?.fullName === 'Maren Lind' && account.organizationName === 'Skerry Station'
  await device.until('accounts', {}, isNamed)
  await device.restart()
  await device.until('accounts', {}, isNamed)
})
