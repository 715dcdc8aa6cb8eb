import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDevice, type Device } from '../support/device.ts'
import { found, succeeded, type Organization } from '../support/organization.ts'

let org: Organization
let device: Device

beforeEach(async () => {
  org = await found({})
  const { member } = org
  succeeded(await member.post('/users/me/alert_words', { alert_words: ['storm'] }))
  device = await openDevice(org.service.baseUrl, { email: member.email, apiKey: member.row.api_key })
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
})
afterEach(async () => {
  await device.close()
  await org.service.close()
})

test('a message with one of the own words is told of like one that names the person', async () => {
  await org.other.send(org.plaza, 'weather', 'calm all day')
  await org.other.send(org.plaza, 'weather', 'a storm comes')
  await org.other.send(org.plaza, 'weather', '@**Mara Member** come and see')
  await expect.poll(() => device.notices.map(({ body }) => body)).toHaveLength(2)
  expect(device.notices.map(({ body }) => body)).toEqual(['a storm comes', '@Mara Member come and see'])
})
