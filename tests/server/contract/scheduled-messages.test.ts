import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const seconds = () => Math.floor(org.clock.now() / 1000)
const listOf = async (who: Person) => succeeded(await who.get('/scheduled_messages')).scheduled_messages
const inPlaza = (content: string, after: number, fields: object = {}) =>
  org.member.post('/scheduled_messages', {
    type: 'channel',
    to: org.plaza,
    topic: 'later',
    content,
    scheduled_delivery_timestamp: seconds() + after,
    ...fields,
  })
const schedule = async (content: string, after: number, fields: object = {}): Promise<number> =>
  succeeded(await inPlaza(content, after, fields)).scheduled_message_id
const newest = async (who: Person, narrow: object[] = []) =>
  succeeded(
    await who.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow,
      apply_markdown: false,
    }),
  ).messages[0]

test('SCHED-01: A scheduled message is listed with its recipient, content, HTML and time.', async () => {
  const id = await schedule('**Hello** later', 3600)
  expect(await listOf(org.member)).toEqual([
    {
      scheduled_message_id: id,
      type: 'stream',
      to: org.plaza,
      topic: 'later',
      content: '**Hello** later',
      rendered_content: '<p><strong>Hello</strong> later</p>',
      scheduled_delivery_timestamp: seconds() + 3600,
      failed: false,
    },
  ])
  expect(await listOf(org.other)).toEqual([])
  succeeded(await org.member.delete(`/scheduled_messages/${id}`))
})

test('SCHED-02: A scheduled direct message lists the other users; a note to self lists only the sender.', async () => {
  const at = seconds() + 3600
  const post = (to: number[]) =>
    org.member.post('/scheduled_messages', {
      type: 'direct',
      to,
      content: 'x',
      scheduled_delivery_timestamp: at,
    })
  const one = succeeded(await post([org.other.id])).scheduled_message_id
  const self = succeeded(await post([org.member.id])).scheduled_message_id
  expect(await listOf(org.member)).toMatchObject([
    { scheduled_message_id: one, type: 'private', to: [org.other.id] },
    { scheduled_message_id: self, type: 'private', to: [org.member.id] },
  ])
  for (const id of [one, self]) succeeded(await org.member.delete(`/scheduled_messages/${id}`))
})

test('SCHED-03: Scheduled messages are listed in order of delivery.', async () => {
  const late = await schedule('late', 7200)
  const soon = await schedule('soon', 3600)
  expect((await listOf(org.member)).map((one: { content: string }) => one.content)).toEqual(['soon', 'late'])
  for (const id of [late, soon]) succeeded(await org.member.delete(`/scheduled_messages/${id}`))
})

test('SCHED-04: A time in the past, empty content and an invalid recipient are rejected.', async () => {
  refused(await inPlaza('x', 0))
  refused(await inPlaza('x', -10))
  refused(await inPlaza('  ', 60))
  refused(await inPlaza('x', 60, { to: 99_999 }), 'STREAM_DOES_NOT_EXIST')
  refused(await inPlaza('x', 60, { topic: undefined }), 'REQUEST_VARIABLE_MISSING')
  refused(await inPlaza('x', 60, { type: 'direct' }))
  refused(await inPlaza('x', 60, { type: 'direct', to: [99_999] }))
  refused(
    await org.other.post('/scheduled_messages', {
      type: 'channel',
      to: org.cellar,
      topic: 'x',
      content: 'x',
      scheduled_delivery_timestamp: seconds() + 60,
    }),
    'STREAM_DOES_NOT_EXIST',
  )
  expect(await listOf(org.member)).toEqual([])
})

test('SCHED-05: When it is due, a scheduled message is sent automatically and removed from the list.', async () => {
  const queue = await org.member.register({ event_types: ['scheduled_messages', 'message'] })
  const id = await schedule('on time', 120)
  await org.clock.advance(119_000)
  expect(await listOf(org.member)).toHaveLength(1)
  await org.clock.advance(1_000)
  expect(await listOf(org.member)).toEqual([])
  const sent = await newest(org.other)
  expect(sent).toMatchObject({
    content: 'on time',
    subject: 'later',
    stream_id: org.plaza,
    sender_id: org.member.id,
    timestamp: seconds(),
  })
  expect(await queue.events()).toMatchObject([
    { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ scheduled_message_id: id }] },
    { type: 'message', message: { id: sent.id, content: 'on time' } },
    { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
  ])
  // People have read what they send, bots have not, unless they say otherwise.
  for (const [who, fields, flags] of [
    [org.member, {}, ['read']],
    [org.bot, {}, []],
    [org.bot, { read_by_sender: true }, ['read']],
  ] as const) {
    const place = { type: 'channel', to: org.plaza, topic: 'later', content: 'read?' }
    const scheduled_delivery_timestamp = seconds() + 60
    succeeded(await who.post('/scheduled_messages', { ...place, scheduled_delivery_timestamp, ...fields }))
    await org.clock.advance(60_000)
    expect((await newest(who)).flags).toEqual(flags)
  }
})

test('SCHED-06: A message scheduled ahead of all others is sent on time.', async () => {
  await schedule('second', 50)
  await schedule('first', 10)
  await org.clock.advance(10_000)
  expect((await newest(org.other)).content).toBe('first')
  await org.clock.advance(40_000)
  expect((await newest(org.other)).content).toBe('second')
})

test('SCHED-07: A message that fell due while the service was down is sent once when it is back.', async () => {
  await schedule('while away', 60)
  await org.service.stop()
  org.clock.set(org.clock.now() + 3_600_000)
  await org.service.start()
  await org.clock.advance(0)
  expect((await newest(org.other)).content).toBe('while away')
  await org.service.stop()
  await org.service.start()
  await org.clock.advance(60_000)
  const answer = await org.other.get('/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    apply_markdown: false,
  })
  const contents = succeeded(answer).messages.map((message: { content: string }) => message.content)
  expect(contents.filter((content: string) => content === 'while away')).toHaveLength(1)
})

test('SCHED-08: An edit changes only the fields it names, and sends an event.', async () => {
  const id = await schedule('before', 3600)
  const queue = await org.member.register({ event_types: ['scheduled_messages'] })
  const at = seconds() + 1800
  succeeded(await org.member.patch(`/scheduled_messages/${id}`, { content: 'after' }))
  succeeded(await org.member.patch(`/scheduled_messages/${id}`, { topic: 'elsewhere' }))
  succeeded(await org.member.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: at }))
  succeeded(await org.member.patch(`/scheduled_messages/${id}`, { type: 'direct', to: [org.other.id] }))
  const place = { type: 'stream', to: org.plaza }
  expect((await queue.events()).map((event) => event.scheduled_message)).toMatchObject([
    { scheduled_message_id: id, ...place, topic: 'later', content: 'after' },
    { ...place, topic: 'elsewhere', content: 'after' },
    { ...place, topic: 'elsewhere', scheduled_delivery_timestamp: at },
    { type: 'private', to: [org.other.id], content: 'after', scheduled_delivery_timestamp: at },
  ])
  await org.clock.advance(1_800_000)
  expect(await newest(org.other)).toMatchObject({ type: 'private', content: 'after' })
})

test('SCHED-09: An edit of the type must name the recipients too, and an empty edit is rejected.', async () => {
  const id = await schedule('x', 3600)
  refused(await org.member.patch(`/scheduled_messages/${id}`, { type: 'direct' }))
  refused(await org.member.patch(`/scheduled_messages/${id}`))
  refused(await org.member.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: seconds() }))
  succeeded(await org.member.delete(`/scheduled_messages/${id}`))
})

test('SCHED-10: A scheduled message that does not exist or belongs to another user is rejected with 404.', async () => {
  const id = await schedule('x', 3600)
  for (const path of ['/scheduled_messages/99999', `/scheduled_messages/${id}`]) {
    refused(await org.other.patch(path, { content: 'y' }), 'BAD_REQUEST', 404)
    refused(await org.other.delete(path), 'BAD_REQUEST', 404)
  }
  succeeded(await org.member.delete(`/scheduled_messages/${id}`))
  await org.clock.advance(3_600_000)
  expect((await newest(org.other))?.content).not.toBe('x')
})

test('SCHED-11: A message that cannot be sent when it is due is kept as failed, and its sender is notified.', async () => {
  const queue = await org.member.register({ event_types: ['scheduled_messages'] })
  const id = await schedule('into the void', 60)
  org.service.workspace.db.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', org.plaza)
  await org.clock.advance(60_000)
  expect(await listOf(org.member)).toMatchObject([{ scheduled_message_id: id, failed: true }])
  expect((await queue.events()).at(-1)).toMatchObject({
    op: 'update',
    scheduled_message: { scheduled_message_id: id, failed: true },
  })
  expect(await newest(org.member)).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' })
  org.service.workspace.db.run('UPDATE channels SET is_archived = 0 WHERE channel_id = ?', org.plaza)
  await org.clock.advance(600_000)
  expect(await listOf(org.member)).toHaveLength(1)
  const at = seconds() + 60
  succeeded(await org.member.patch(`/scheduled_messages/${id}`, { scheduled_delivery_timestamp: at }))
  await org.clock.advance(60_000)
  expect((await newest(org.other)).content).toBe('into the void')
})

test('SCHED-12: The register response holds the scheduled messages.', async () => {
  const id = await schedule('registered', 3600)
  const { state } = await org.member.register({ fetch_event_types: ['scheduled_messages'] })
  expect(state.scheduled_messages).toMatchObject([{ scheduled_message_id: id, content: 'registered' }])
  succeeded(await org.member.delete(`/scheduled_messages/${id}`))
})

test('SCHED-13: A message whose sender or recipient was deactivated fails; it can be sent again only with a new time.', async () => {
  const [writer, reader] = [org.join('Wim Writer'), org.join('Rita Reader')]
  const direct = (by: Person, to: Person) =>
    by.post('/scheduled_messages', {
      type: 'direct',
      to: [to.id],
      content: `to ${to.name}`,
      scheduled_delivery_timestamp: seconds() + 60,
    })
  const own = succeeded(await direct(org.member, reader)).scheduled_message_id
  const ofGone = succeeded(await direct(writer, org.other)).scheduled_message_id
  succeeded(await writer.post('/users/me/subscriptions', { subscriptions: [{ name: 'plaza' }] }))
  const inChannel = succeeded(
    await writer.post('/scheduled_messages', {
      type: 'channel',
      to: org.plaza,
      topic: 'Gone',
      content: 'from nobody',
      scheduled_delivery_timestamp: seconds() + 60,
    }),
  ).scheduled_message_id
  for (const { id } of [writer, reader]) succeeded(await org.owner.delete(`/users/${id}`))
  await org.clock.advance(60_000)
  const failed = org.service.database.all<{ scheduled_id: number }>(
    'SELECT scheduled_id FROM scheduled_messages WHERE has_failed = 1',
  )
  expect(failed.map((row) => row.scheduled_id)).toEqual(expect.arrayContaining([own, ofGone, inChannel]))
  expect(await newest(org.other, [{ operator: 'topic', operand: 'Gone' }])).toBeUndefined()
  expect((await newest(org.member)).content).toContain('no longer using this organization')
  expect((await newest(org.other))?.content).not.toBe(`to ${org.other.name}`)
  refused(await org.member.patch(`/scheduled_messages/${own}`, { content: 'again' }))
  const again = { to: [org.other.id], scheduled_delivery_timestamp: seconds() + 60 }
  succeeded(await org.member.patch(`/scheduled_messages/${own}`, again))
})
