import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const listening = (who: Person) =>
  who.register({
    event_types: ['typing', 'typing_edit_message'],
    client_capabilities: { stream_typing_notifications: true },
  })
const inPlaza = (who: Person, op = 'start') =>
  who.post('/typing', { type: 'channel', op, stream_id: org.plaza, topic: 'chat' })

test('TYPING-01: In a direct conversation, all participants, the sender included, get events that name the sender and the recipients.', async () => {
  const queue = await listening(org.other)
  const outside = await listening(org.admin)
  succeeded(await org.member.post('/typing', { op: 'start', to: [org.other.id] }))
  succeeded(await org.member.post('/typing', { op: 'stop', to: [org.other.id] }))
  const person = ({ id: user_id, email }: Person) => ({ user_id, email })
  expect(await queue.events()).toMatchObject(
    ['start', 'stop'].map((op) => ({
      type: 'typing',
      op,
      message_type: 'direct',
      sender: person(org.member),
      recipients: expect.arrayContaining([person(org.member), person(org.other)]),
    })),
  )
  expect(await outside.events()).toEqual([])
})

test('TYPING-02: In a channel, subscribers get events that name the channel and the topic.', async () => {
  const queue = await listening(org.other)
  const outside = await listening(org.guest)
  succeeded(await inPlaza(org.member))
  expect(await queue.events()).toMatchObject([
    { type: 'typing', op: 'start', message_type: 'stream', stream_id: org.plaza, topic: 'chat' },
  ])
  expect(await outside.events()).toEqual([])
})

test('TYPING-03: Users who turned off typing notifications get no events.', async () => {
  const queue = await listening(org.other)
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: false }))
  succeeded(await inPlaza(org.member))
  succeeded(await org.member.post('/typing', { op: 'start', to: [org.other.id] }))
  expect(await queue.events()).toEqual([])
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: true }))
})

test('TYPING-04: A user who turned off sending typing notifications is rejected, for channels and direct messages separately.', async () => {
  const direct = () => org.member.post('/typing', { op: 'start', to: [org.other.id] })
  succeeded(await org.member.patch('/settings', { send_stream_typing_notifications: false }))
  refused(await inPlaza(org.member))
  succeeded(await direct())
  succeeded(
    await org.member.patch('/settings', {
      send_stream_typing_notifications: true,
      send_private_typing_notifications: false,
    }),
  )
  succeeded(await inPlaza(org.member))
  refused(await direct())
  succeeded(await org.member.patch('/settings', { send_private_typing_notifications: true }))
})

test('TYPING-05: Recipients must exist, and the user must be able to send to the channel.', async () => {
  refused(await org.member.post('/typing', { op: 'start', to: [] }))
  refused(await org.member.post('/typing', { op: 'start' }))
  refused(await org.member.post('/typing', { op: 'start', to: [org.other.id, 99_999] }))
  refused(await org.member.post('/typing', { op: 'think', to: [org.other.id] }))
  refused(await org.other.post('/typing', { type: 'stream', op: 'start', stream_id: org.cellar, topic: 'x' }))
  refused(await org.member.post('/typing', { type: 'stream', op: 'start', stream_id: org.plaza }))
})

test('TYPING-06: Editing a message sends events to users who have it, with its conversation.', async () => {
  const inChannel = await org.member.send(org.plaza, '', 'draft')
  const direct = await org.member.send([org.other], '', 'draft')
  const queue = await listening(org.other)
  const outside = await listening(org.guest)
  succeeded(await org.member.post(`/messages/${inChannel}/typing`, { op: 'start' }))
  succeeded(await org.member.post(`/messages/${direct}/typing`, { op: 'stop' }))
  expect(await queue.events()).toMatchObject([
    {
      type: 'typing_edit_message',
      op: 'start',
      sender_id: org.member.id,
      message_id: inChannel,
      recipient: { type: 'channel', channel_id: org.plaza, topic: 'general chat' },
    },
    {
      type: 'typing_edit_message',
      op: 'stop',
      sender_id: org.member.id,
      message_id: direct,
      recipient: { type: 'direct', user_ids: [org.member.id, org.other.id] },
    },
  ])
  expect(await outside.events()).toEqual([])
})

test('TYPING-07: Only users who can edit a message can send events for editing it.', async () => {
  const id = await org.member.send(org.plaza, 'chat', 'mine')
  refused(await org.other.post(`/messages/${id}/typing`, { op: 'start' }))
  refused(await org.member.post('/messages/99999/typing', { op: 'start' }))
  refused(await org.member.post(`/messages/${id}/typing`, { op: 'pause' }))
  succeeded(await org.member.patch('/settings', { send_stream_typing_notifications: false }))
  refused(await org.member.post(`/messages/${id}/typing`, { op: 'start' }))
})

test('TYPING-08: Users who turned off typing notifications get no events for editing either.', async () => {
  const id = await org.admin.send(org.plaza, 'chat', 'mine')
  const queue = await listening(org.other)
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: false }))
  succeeded(await org.admin.post(`/messages/${id}/typing`, { op: 'start' }))
  expect(await queue.events()).toEqual([])
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: true }))
  succeeded(await org.admin.post(`/messages/${id}/typing`, { op: 'stop' }))
  expect(await queue.events()).toMatchObject([{ type: 'typing_edit_message', op: 'stop' }])
})

test('TYPING-09: Typing events name the empty topic as it is, and by its display name for clients that do not support it.', async () => {
  const queue = await org.admin.listen({ event_types: ['typing'], fetch_event_types: [] })
  const older = await listening(org.admin)
  for (const topic of ['', 'general chat'])
    succeeded(await org.other.post('/typing', { type: 'stream', op: 'start', stream_id: org.plaza, topic }))
  expect((await queue.events()).map(({ topic }) => topic)).toEqual(['', ''])
  expect((await older.events()).map(({ topic }) => topic)).toEqual(['general chat', 'general chat'])
})
