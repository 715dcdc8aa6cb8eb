import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, userId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { openDevice, type Device } from '../support/device.ts'
import { found, type Organization } from '../support/organization.ts'

let org: Organization
let device: Device

beforeAll(async () => {
  org = await found({})
  const { email, row } = org.member
  device = await openDevice(org.service.baseUrl, { email, apiKey: row.api_key })
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
})
afterAll(async () => {
  await device.close()
  await org.service.close()
})

test('that somebody writes is told to the others of the conversation, and to nobody else', async () => {
  const report = (conversation: Conversation, on: boolean) =>
    device.bridge.call('report-typing', { accountId: device.accountId, conversation, on })
  const queue = await org.other.listen({ event_types: ['typing'] })
  await report({ kind: 'topic', channelId: channelId(org.plaza), topic: 'Tides' }, true)
  await report({ kind: 'direct', userIds: [userId(org.moderator.id)] }, true)
  await report({ kind: 'direct', userIds: [] }, true)
  await report({ kind: 'direct', userIds: [userId(org.other.id)] }, true)
  await report({ kind: 'direct', userIds: [userId(org.other.id)] }, false)
  expect(await queue.events()).toMatchObject([
    { op: 'start', message_type: 'stream', stream_id: org.plaza, topic: 'Tides' },
    { op: 'start', message_type: 'direct', sender: { user_id: org.member.id } },
    { op: 'stop', message_type: 'direct', sender: { user_id: org.member.id } },
  ])
})
