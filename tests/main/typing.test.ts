import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, messageId, userId } from '../../src-shared/ids.ts'
import type { WritingPlace } from '../../src-shared/model/writing-place.ts'
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

const report = (place: WritingPlace, on: boolean) =>
  device.bridge.call('report-typing', { accountId: device.accountId, place, on })

test('that somebody writes is told to the others of the conversation, and to nobody else', async () => {
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

test('that a message is being changed is told to those who read it, and seen at it', async () => {
  const { accountId } = device
  const mine = await org.member.send(org.plaza, 'Tides', 'mine')
  const theirs = await org.other.send(org.plaza, 'Tides', 'theirs')
  await device.until(
    'feed',
    { accountId, narrow: { kind: 'combined' }, around: 'newest', before: 10, after: 0 },
    ({ messages }) => [mine, theirs].every((id) => messages.some((message) => message.id === id)),
  )
  const queue = await org.other.listen({ event_types: ['typing_edit_message'] })
  await report({ kind: 'message', messageId: messageId(mine) }, true)
  await report({ kind: 'message', messageId: messageId(mine) }, false)
  expect(await queue.events()).toMatchObject([
    { op: 'start', message_id: mine, sender_id: org.member.id },
    { op: 'stop', message_id: mine, sender_id: org.member.id },
  ])
  await org.other.post(`/messages/${theirs}/typing`, { op: 'start' })
  const edited = await device.until('editing', { accountId }, ({ length }) => length > 0)
  expect(edited).toEqual([{ messageId: theirs, userId: org.other.id, fullName: expect.any(String) }])
  await org.other.post(`/messages/${theirs}/typing`, { op: 'stop' })
  await device.until('editing', { accountId }, ({ length }) => length === 0)
  await org.other.post(`/messages/${theirs}/typing`, { op: 'start' })
  await device.until('editing', { accountId }, ({ length }) => length > 0)
  // Their edited text shows that they have finished.
  await org.other.patch(`/messages/${theirs}`, { content: 'theirs, changed' })
  await device.until('editing', { accountId }, ({ length }) => length === 0)
})

test('of a person who is muted it is not seen that they write or change something', async () => {
  const { accountId } = device
  const topic = 'Muted'
  const theirs = await org.other.send(org.plaza, topic, 'theirs')
  const narrow = { kind: 'topic', channelId: channelId(org.plaza), topic } as const
  const mute = (on: boolean) =>
    device.bridge.call('act', {
      accountId,
      action: { name: 'mute-person', userId: userId(org.other.id), on },
    })
  await org.other.post('/typing', { type: 'stream', op: 'start', stream_id: org.plaza, topic })
  await org.other.post(`/messages/${theirs}/typing`, { op: 'start' })
  await device.until('typing', { accountId, narrow }, ({ length }) => length === 1)
  await device.until('editing', { accountId }, ({ length }) => length === 1)
  await mute(true)
  expect(await device.ask('typing', { accountId, narrow })).toEqual([])
  expect(await device.ask('editing', { accountId })).toEqual([])
  await mute(false)
  expect(await device.ask('typing', { accountId, narrow })).toHaveLength(1)
  await org.other.post(`/messages/${theirs}/typing`, { op: 'stop' })
})
