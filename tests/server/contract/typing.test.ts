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

test('TYPING-01: In a direct conversation all people of it, the writer too, are told who writes to whom.', async () => {
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

test('TYPING-02: In a channel its subscribers are told the channel and the topic.', async () => {
  const queue = await listening(org.other)
  const outside = await listening(org.guest)
  succeeded(await inPlaza(org.member))
  expect(await queue.events()).toMatchObject([
    { type: 'typing', op: 'start', message_type: 'stream', stream_id: org.plaza, topic: 'chat' },
  ])
  expect(await outside.events()).toEqual([])
})

test('TYPING-03: Whoever does not want to be told is not.', async () => {
  const queue = await listening(org.other)
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: false }))
  succeeded(await inPlaza(org.member))
  succeeded(await org.member.post('/typing', { op: 'start', to: [org.other.id] }))
  expect(await queue.events()).toEqual([])
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: true }))
})

test('TYPING-04: Whoever does not want to tell is refused, for channels and direct messages apart.', async () => {
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

test('TYPING-05: Recipients must be there and known, and a channel one that takes the writer’s messages.', async () => {
  refused(await org.member.post('/typing', { op: 'start', to: [] }))
  refused(await org.member.post('/typing', { op: 'start' }))
  refused(await org.member.post('/typing', { op: 'start', to: [org.other.id, 99_999] }))
  refused(await org.member.post('/typing', { op: 'think', to: [org.other.id] }))
  refused(await org.other.post('/typing', { type: 'stream', op: 'start', stream_id: org.cellar, topic: 'x' }))
  refused(await org.member.post('/typing', { type: 'stream', op: 'start', stream_id: org.plaza }))
})

test('TYPING-06: Editing a message is told to those who have it, with where it stands.', async () => {
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

test('TYPING-07: Only who may edit a message tells that they do.', async () => {
  const id = await org.member.send(org.plaza, 'chat', 'mine')
  refused(await org.other.post(`/messages/${id}/typing`, { op: 'start' }))
  refused(await org.member.post('/messages/99999/typing', { op: 'start' }))
  refused(await org.member.post(`/messages/${id}/typing`, { op: 'pause' }))
  succeeded(await org.member.patch('/settings', { send_stream_typing_notifications: false }))
  refused(await org.member.post(`/messages/${id}/typing`, { op: 'start' }))
})

test('TYPING-08: Whoever does not want to be told is not told of editing either.', async () => {
  const id = await org.admin.send(org.plaza, 'chat', 'mine')
  const queue = await listening(org.other)
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: false }))
  succeeded(await org.admin.post(`/messages/${id}/typing`, { op: 'start' }))
  expect(await queue.events()).toEqual([])
  succeeded(await org.other.patch('/settings', { receives_typing_notifications: true }))
  succeeded(await org.admin.post(`/messages/${id}/typing`, { op: 'stop' }))
  expect(await queue.events()).toMatchObject([{ type: 'typing_edit_message', op: 'stop' }])
})

test('TYPING-09: Typing in the empty topic is told of by its name, to clients that do not know it by its display name.', async () => {
  const queue = await org.admin.listen({ event_types: ['typing'], fetch_event_types: [] })
  const older = await listening(org.admin)
  for (const topic of ['', 'general chat'])
    succeeded(await org.other.post('/typing', { type: 'stream', op: 'start', stream_id: org.plaza, topic }))
  expect((await queue.events()).map(({ topic }) => topic)).toEqual(['', ''])
  expect((await older.events()).map(({ topic }) => topic)).toEqual(['general chat', 'general chat'])
})
