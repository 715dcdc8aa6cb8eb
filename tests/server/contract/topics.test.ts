import { beforeAll, expect, test } from 'vitest'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
} from '../../support/organization.ts'

// The topics of a channel and what a person wants of them
// (specification, GET /users/me/{stream_id}/topics, POST /user_topics, POST /mark_topic_as_read).

const org = organization()
// Topics that the member begins are not followed by themselves here.
beforeAll(async () =>
  succeeded(await org.member.patch('/settings', { automatically_follow_topics_policy: 4 })),
)

const made = async (by: Person, fields: Fields = {}): Promise<number> =>
  succeeded(await by.post('/channels/create', { name: fresh('channel'), subscribers: [], ...fields })).id
const topics = async (who: Person, id: number, fields: Fields = {}) =>
  succeeded(await who.get(`/users/me/${id}/topics`, fields)).topics
const ofTopics = { event_types: ['user_topic'] }
const set = (who: Person, stream_id: number, topic: string, visibility_policy: number) =>
  who.post('/user_topics', { stream_id, topic, visibility_policy })
const kept = async (who: Person) =>
  (await who.listen({ fetch_event_types: ['user_topic'] })).state.user_topics

test('TOPIC-01: Topics are listed with their last message, the most recent first.', async () => {
  const id = await made(org.owner, { subscribers: [org.member.id] })
  await org.member.send(id, 'first', 'a')
  const second = await org.member.send(id, 'second', 'b')
  const last = await org.member.send(id, 'FIRST', 'c')
  expect(await topics(org.member, id)).toEqual([
    { name: 'FIRST', max_id: last },
    { name: 'second', max_id: second },
  ])
})

test('TOPIC-02: The empty topic has its display name for clients that do not support it.', async () => {
  const id = await made(org.owner, { subscribers: [org.member.id] })
  const max_id = await org.member.send(id, '', 'a')
  expect(await topics(org.member, id)).toEqual([{ name: 'general chat', max_id }])
  expect(await topics(org.member, id, { allow_empty_topic_name: true })).toEqual([{ name: '', max_id }])
})

test('TOPIC-03: In a private channel with protected history, topics without messages since the user joined are not listed.', async () => {
  const id = await made(org.owner, { invite_only: true, subscribers: [org.owner.id] })
  await org.owner.send(id, 'before', 'a')
  const { name } = succeeded(await org.owner.get(`/streams/${id}`)).stream
  const principals = [org.other.id, org.bot.id]
  succeeded(await org.owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals }))
  const max_id = await org.owner.send(id, 'after', 'b')
  for (const who of [org.other, org.bot]) expect(await topics(who, id)).toEqual([{ name: 'after', max_id }])
  succeeded(await org.owner.patch(`/streams/${id}`, { history_public_to_subscribers: true }))
  expect(await topics(org.other, id)).toHaveLength(2)
})

test('TOPIC-04: A channel that does not exist and a private channel the user is not in are rejected alike.', async () => {
  const id = await made(org.owner, { invite_only: true, subscribers: [org.owner.id] })
  const answer = refused(await org.other.get(`/users/me/${id}/topics`))
  expect(refused(await org.other.get('/users/me/99999/topics'))).toEqual(answer)
  // An administrator knows of the channel, which is not reading it.
  refused(await org.admin.get(`/users/me/${id}/topics`))
})

test('TOPIC-05: Each of the four policies is stored and sent to all devices, even for a topic without messages.', async () => {
  const id = await made(org.owner, { subscribers: [org.member.id] })
  const queue = await org.member.listen(ofTopics)
  for (const visibility_policy of [1, 2, 3, 0]) {
    succeeded(await set(org.member, id, 'nobody wrote here', visibility_policy))
    const entry = {
      stream_id: id,
      topic_name: 'nobody wrote here',
      last_updated: Math.floor(org.clock.now() / 1_000),
      visibility_policy,
    }
    expect(await queue.events()).toEqual([{ type: 'user_topic', ...entry }])
    expect(await kept(org.member)).toEqual(visibility_policy === 0 ? [] : [entry])
  }
})

test('TOPIC-06: An unknown policy, a topic that is too long and a channel the user cannot see are rejected.', async () => {
  const id = await made(org.owner)
  refused(await set(org.member, id, 'topic', 4))
  refused(await set(org.member, id, 'topic', -1))
  refused(await set(org.member, id, 'x'.repeat(61), 1))
  succeeded(await set(org.member, id, 'x'.repeat(60), 0))
  refused(await set(org.member, 99_999, 'topic', 1))
  refused(await set(org.other, org.cellar, 'topic', 1))
  expect(await kept(org.member)).toEqual([])
})

test('TOPIC-07: Topics are case-insensitive.', async () => {
  const id = await made(org.owner)
  succeeded(await set(org.member, id, 'Plans', 1))
  succeeded(await set(org.member, id, 'pLANS', 3))
  expect(await kept(org.member)).toMatchObject([{ topic_name: 'pLANS', visibility_policy: 3 }])
  succeeded(await set(org.member, id, 'plans', 0))
})

test('TOPIC-08: The policy of one user for a topic is invisible to other users.', async () => {
  const id = await made(org.owner)
  const queue = await org.other.listen(ofTopics)
  succeeded(await set(org.member, id, 'topic', 1))
  expect(await queue.events()).toEqual([])
  expect(await kept(org.other)).toEqual([])
  succeeded(await set(org.member, id, 'topic', 0))
})

test('TOPIC-09: The display name of the empty topic sets the policy of the empty topic.', async () => {
  const id = await made(org.owner)
  succeeded(await set(org.member, id, 'general chat', 3))
  expect(await kept(org.member)).toMatchObject([{ topic_name: '' }])
  succeeded(await set(org.member, id, '', 0))
  expect(await kept(org.member)).toEqual([])
})

test('TOPIC-10: All unread messages of a topic are marked as read, and every device gets an event that lists them.', async () => {
  const id = await made(org.owner, { subscribers: [org.owner.id, org.member.id] })
  const read = await org.owner.send(id, 'long', 'a')
  succeeded(await org.member.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }))
  const unread = [await org.owner.send(id, 'Long', 'b'), await org.owner.send(id, 'long', 'c')]
  await org.owner.send(id, 'elsewhere', 'd')
  const queue = await org.member.listen({ event_types: ['update_message_flags'] })
  succeeded(await org.member.post('/mark_topic_as_read', { stream_id: id, topic_name: 'LONG' }))
  expect(await queue.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: unread, all: false },
  ])
  succeeded(await org.member.post('/mark_topic_as_read', { stream_id: id, topic_name: 'LONG' }))
  expect(await queue.events()).toEqual([])
})

test('TOPIC-11: Marking a topic as read accepts both names of the empty topic, and rejects what does not exist.', async () => {
  const id = await made(org.owner, { subscribers: [org.owner.id, org.member.id] })
  const message = await org.owner.send(id, '', 'a')
  succeeded(await org.member.post('/mark_topic_as_read', { stream_id: id, topic_name: 'general chat' }))
  expect(succeeded(await org.member.get(`/messages/${message}`)).message.flags).toContain('read')
  succeeded(await org.member.post('/mark_topic_as_read', { stream_id: id, topic_name: '' }))
  refused(await org.member.post('/mark_topic_as_read', { stream_id: id, topic_name: 'nothing' }))
  refused(await org.member.post('/mark_topic_as_read', { stream_id: 99_999, topic_name: '' }))
  refused(await org.admin.post('/mark_topic_as_read', { stream_id: org.cellar, topic_name: '' }))
  refused(await org.member.post('/mark_topic_as_read', { stream_id: id }), 'REQUEST_VARIABLE_MISSING')
})

const displayName = 'general chat'
/** Where a topic is taken: each takes the display name, and answers what topic that was. */
const takers: readonly (readonly [string, (id: number) => Promise<unknown>])[] = [
  [
    'a message',
    async (id) => {
      const message = await org.member.send(id, displayName, 'x')
      return succeeded(await org.member.get(`/messages/${message}`, { allow_empty_topic_name: true })).message
        .subject
    },
  ],
  [
    'a moved message',
    async (id) => {
      const message = await org.member.send(id, 'named', 'x')
      succeeded(await org.member.patch(`/messages/${message}`, { topic: displayName }))
      return succeeded(await org.member.get(`/messages/${message}`, { allow_empty_topic_name: true })).message
        .subject
    },
  ],
  [
    'a draft',
    async (id) => {
      const draft = { type: 'stream', to: [id], topic: displayName, content: 'x' }
      succeeded(await org.member.post('/drafts', { drafts: [draft] }))
      return succeeded(await org.member.get('/drafts')).drafts.at(-1).topic
    },
  ],
  [
    'a scheduled message',
    async (id) => {
      const scheduled_delivery_timestamp = Math.floor(org.clock.now() / 1_000) + 600
      succeeded(
        await org.member.post('/scheduled_messages', {
          type: 'stream',
          to: id,
          topic: displayName,
          content: 'x',
          scheduled_delivery_timestamp,
        }),
      )
      return succeeded(await org.member.get('/scheduled_messages')).scheduled_messages.at(-1).topic
    },
  ],
  [
    'a policy',
    async (id) => {
      succeeded(await set(org.member, id, displayName, 1))
      return (await kept(org.member)).find((one: { stream_id: number }) => one.stream_id === id).topic_name
    },
  ],
  [
    'typing',
    async (id) => {
      const queue = await org.member.listen({ event_types: ['typing'] })
      const fields = { type: 'stream', op: 'start', stream_id: id, topic: displayName }
      succeeded(await org.owner.post('/typing', fields))
      return (await queue.events())[0]?.['topic']
    },
  ],
  [
    'what is marked as read',
    async (id) => {
      const message = await org.owner.send(id, '', 'x')
      succeeded(await org.member.post('/mark_topic_as_read', { stream_id: id, topic_name: displayName }))
      const { message: read } = succeeded(await org.member.get(`/messages/${message}`))
      return read.flags.includes('read') ? '' : 'unread'
    },
  ],
  [
    'the narrow of a feed',
    async (id) => {
      await org.owner.send(id, '', 'x')
      const narrow = [
        { operator: 'channel', operand: id },
        { operator: 'topic', operand: displayName },
      ]
      const around = { anchor: 'newest', num_before: 1, num_after: 0, allow_empty_topic_name: true }
      return succeeded(await org.member.get('/messages', { narrow, ...around })).messages[0].subject
    },
  ],
  [
    'the narrow of a queue',
    async (id) => {
      const queue = await org.member.listen({ event_types: ['message'], narrow: [['topic', displayName]] })
      await org.owner.send(id, 'named', 'x')
      await org.owner.send(id, '', 'x')
      const events = await queue.events()
      return events.length === 1 ? events[0]?.['message'].subject : events.length
    },
  ],
]

test.each(takers)(
  'TOPIC-12: The display name of the empty topic is accepted wherever a topic is (%s).',
  async (_place, take) => {
    const id = await made(org.owner, { subscribers: [org.owner.id, org.member.id] })
    expect(await take(id)).toBe('')
  },
)

test('TOPIC-13: Deleting a topic deletes all its messages, regardless of case, in one event to the users who had them, and no other topic.', async () => {
  const id = await made(org.owner, { subscribers: [org.owner.id, org.member.id] })
  const first = await org.member.send(id, 'Doomed', 'a')
  const kept = await org.member.send(id, 'Other', 'b')
  const last = await org.member.send(id, 'doomed', 'c')
  const queue = await org.member.listen({ event_types: ['delete_message', 'stream'] })
  const remove = (who: Person, topic_name: string) => who.post(`/streams/${id}/delete_topic`, { topic_name })
  refused(await remove(org.member, 'Doomed'), 'UNAUTHORIZED_PRINCIPAL')
  refused(await remove(org.owner, 'Nowhere'))
  expect(succeeded(await remove(org.owner, 'DOOMED'))).toMatchObject({ complete: true })
  expect(await topics(org.member, id)).toEqual([{ name: 'Other', max_id: kept }])
  expect(await queue.events()).toMatchObject([
    { type: 'delete_message', message_ids: [first, last], message_type: 'stream', stream_id: id },
    { type: 'stream', op: 'update', property: 'first_message_id', value: kept },
  ])
  refused(await remove(org.owner, 'Doomed'))
})

test('TOPIC-14: A long topic is deleted from its newest message on, a thousand messages at a time, until it is complete.', async () => {
  const id = await made(org.owner)
  const oldest = await org.owner.send(id, 'Long', 'the oldest')
  const { db } = org.service.workspace
  db.transaction(() => {
    for (let n = 0; n < 1_000; n++)
      db.run(
        `INSERT INTO messages (sender_id, channel_id, topic, topic_key, content, rendered, sent_at)
         VALUES (?, ?, 'Long', 'long', '', '', 1)`,
        org.owner.id,
        id,
      )
  })
  const remove = async () =>
    succeeded(await org.owner.post(`/streams/${id}/delete_topic`, { topic_name: 'Long' })).complete
  expect(await remove()).toBe(false)
  expect(await topics(org.owner, id)).toEqual([{ name: 'Long', max_id: oldest }])
  expect(await remove()).toBe(true)
  expect(await topics(org.owner, id)).toEqual([])
})

const mute = (who: Person, fields: Fields) => who.patch('/users/me/subscriptions/muted_topics', fields)

test('TOPIC-15: The older endpoint for muting a topic names the channel by id or name, and has the same effect as the newer one.', async () => {
  const queue = await org.member.listen(ofTopics)
  succeeded(await mute(org.member, { stream_id: org.plaza, topic: 'Gulls', op: 'add' }))
  const gulls = { stream_id: org.plaza, topic_name: 'Gulls' }
  expect(await queue.events()).toMatchObject([{ type: 'user_topic', ...gulls, visibility_policy: 1 }])
  expect(await kept(org.member)).toContainEqual(expect.objectContaining({ ...gulls, visibility_policy: 1 }))
  succeeded(await mute(org.member, { stream: 'PLAZA', topic: 'gulls', op: 'remove' }))
  expect(await queue.events()).toMatchObject([{ ...gulls, topic_name: 'gulls', visibility_policy: 0 }])
  expect(await kept(org.member)).not.toContainEqual(expect.objectContaining({ stream_id: org.plaza }))
  const bad: Fields[] = [
    { topic: 'Gulls', op: 'add' },
    { stream: 'plaza', stream_id: org.plaza, topic: 'Gulls', op: 'add' },
    { stream: 'nowhere', topic: 'Gulls', op: 'add' },
    { stream_id: 99_999, topic: 'Gulls', op: 'add' },
    { stream_id: org.plaza, topic: 'Gulls', op: 'mute' },
    { stream_id: org.plaza, topic: 'x'.repeat(61), op: 'add' },
  ]
  for (const fields of bad) refused(await mute(org.member, fields))
  refused(await mute(org.other, { stream: 'lobby', op: 'add' }), 'REQUEST_VARIABLE_MISSING')
})

test('TOPIC-16: That endpoint rejects a repeated change before level 169, and accepts it from then on.', async () => {
  const add = { stream_id: org.plaza, topic: 'Terns', op: 'add' }
  const remove = { ...add, op: 'remove' }
  await org.service.restartAt(168)
  refused(await mute(org.member, remove))
  succeeded(await mute(org.member, add))
  refused(await mute(org.member, add))
  succeeded(await mute(org.member, remove))
  await org.service.restartAt(420)
  for (const fields of [add, add, remove, remove]) succeeded(await mute(org.member, fields))
})

test('TOPIC-17: A client that requests both types of events for muted topics gets each change once, in the newer form.', async () => {
  const heard = async (...event_types: string[]) => {
    const queue = await org.member.listen({ event_types, fetch_event_types: [] })
    succeeded(await mute(org.member, { stream_id: org.plaza, topic: fresh('Noise'), op: 'add' }))
    return (await queue.events()).map(({ type }) => type)
  }
  expect(await heard('user_topic', 'muted_topics')).toEqual(['user_topic'])
  expect(await heard('muted_topics')).toEqual(['muted_topics'])
  expect(await heard('user_topic')).toEqual(['user_topic'])
})
