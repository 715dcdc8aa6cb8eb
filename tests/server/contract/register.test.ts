import { daySeconds } from '../../../src-shared/durations.ts'
import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Answer } from '../../support/organization.ts'

const org = organization()
const newest = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
}
const always = [
  'last_event_id',
  'msg',
  'queue_id',
  'result',
  'service_feature_level',
  'service_merge_base',
  'service_version',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
]
const keys = (body: Answer['body']) => Object.keys(body).sort()

test('REG-01: Registering returns a queue id, the id to fetch events from and the feature level of the service.', async () => {
  const { state } = await org.member.register({ fetch_event_types: [] })
  expect(state).toMatchObject({ queue_id: expect.any(String), last_event_id: -1, service_feature_level: 420 })
  expect(keys(state)).toEqual(always)
})

test('REG-02: Without fetch_event_types, event_types chooses the initial data.', async () => {
  const { state } = await org.member.register({ event_types: ['drafts', 'saved_snippets'] })
  expect(keys(state)).toEqual([...always, 'drafts', 'saved_snippets'].sort())
})

test('REG-03: fetch_event_types chooses the initial data independently of the events.', async () => {
  const queue = await org.member.register({
    event_types: ['message'],
    fetch_event_types: ['starred_messages'],
  })
  expect(keys(queue.state)).toEqual([...always, 'starred_messages'].sort())
  await org.other.send([org.member], '', 'an event')
  expect((await queue.events()).map((event) => event.type)).toEqual(['message'])
})

test('REG-04: With neither parameter, all data is fetched.', async () => {
  const { state } = await org.member.register()
  for (const key of [
    'realm_name',
    'realm_users',
    'subscriptions',
    'unsubscribed',
    'never_subscribed',
    'channel_folders',
    'user_topics',
    'user_settings',
    'muted_users',
    'drafts',
    'presences',
    'unread_msgs',
    'starred_messages',
    'recent_private_conversations',
    'realm_emoji',
    'realm_user_groups',
    'realm_linkifiers',
    'saved_snippets',
    'max_message_id',
  ])
    expect(state).toHaveProperty(key)
})

test('REG-05: Unknown event types are ignored.', async () => {
  const { state } = await org.member.register({
    event_types: ['unheard_of'],
    fetch_event_types: ['unheard_of', 'drafts'],
  })
  expect(keys(state)).toEqual([...always, 'drafts'].sort())
})

test('REG-06: apply_markdown decides whether events hold HTML or Markdown; the default is Markdown.', async () => {
  const plain = await org.member.register({ event_types: ['message'], fetch_event_types: [] })
  const html = await org.member.register({
    event_types: ['message'],
    fetch_event_types: [],
    apply_markdown: true,
  })
  await org.other.send([org.member], '', '**bold**')
  expect((await plain.events())[0]?.message).toMatchObject({
    content: '**bold**',
    content_type: 'text/x-markdown',
  })
  expect((await html.events())[0]?.message).toMatchObject({
    content: '<p><strong>bold</strong></p>',
    content_type: 'text/html',
  })
})

test('REG-07: slim_presence keys presences by user id; without it they are keyed by email.', async () => {
  succeeded(await org.other.post('/users/me/presence', { status: 'active' }))
  const slim = await org.member.register({ fetch_event_types: ['presence'], slim_presence: true })
  expect(slim.state.presences[String(org.other.id)]).toMatchObject({ active_timestamp: expect.any(Number) })
  const legacy = await org.member.register({ fetch_event_types: ['presence'] })
  expect(legacy.state.presences[org.other.email]).toHaveProperty('website')
  expect(legacy.state.presences[org.other.email]).toHaveProperty('aggregated')
})

test('REG-08: presence_history_limit_days limits how far back presence goes; the default is 14 days.', async () => {
  const old = org.join('Olga Old')
  const seconds = org.clock.now() / 1000 - 20 * daySeconds
  org.service.workspace.db.run(
    'INSERT OR REPLACE INTO presence (active_at, idle_at, user_id, update_id) VALUES (?, ?, ?, 0)',
    seconds,
    seconds,
    old.id,
  )
  const known = async (days?: number) => {
    const { state } = await org.member.register({
      fetch_event_types: ['presence'],
      slim_presence: true,
      presence_history_limit_days: days,
    })
    return String(old.id) in state.presences
  }
  expect(await known()).toBe(false)
  expect(await known(19)).toBe(false)
  expect(await known(21)).toBe(true)
})

test('REG-09: include_subscribers=true lists the subscribers of every channel; false lists none.', async () => {
  const fetched = async (include_subscribers?: string) =>
    (await org.member.register({ fetch_event_types: ['subscription'], include_subscribers })).state
  const plaza = (state: Answer['body']) =>
    state.subscriptions.find((one: { stream_id: number }) => one.stream_id === org.plaza)
  expect(plaza(await fetched())).not.toHaveProperty('subscribers')
  expect(plaza(await fetched('false'))).not.toHaveProperty('subscribers')
  expect(plaza(await fetched('true')).subscribers).toEqual(
    expect.arrayContaining([org.owner.id, org.member.id, org.other.id]),
  )
  const { never_subscribed } = (
    await org.other.register({ fetch_event_types: ['subscription'], include_subscribers: 'true' })
  ).state
  expect(
    never_subscribed.find((one: { stream_id: number }) => one.stream_id === org.lobby).subscribers.sort(),
  ).toEqual([org.member.id, org.guest.id].sort())
  refused(await org.member.post('/register', { include_subscribers: 'some' }))
})

test('REG-10: partial lists all subscribers below 250; in larger channels, the bots and the users active within 14 days.', async () => {
  const crowd = Array.from({ length: 248 }, (_, index) => org.join(`Crowd ${index}`))
  const channel = org.service.createChannel('crowded', [org.bot.id, ...crowd.map((one) => one.id)])
  const fetched = async () => {
    const { state } = await org.owner.register({
      fetch_event_types: ['subscription'],
      include_subscribers: 'partial',
    })
    return [...state.subscriptions, ...state.never_subscribed].find(
      (one: { stream_id: number }) => one.stream_id === channel,
    )
  }
  expect((await fetched()).subscribers).toHaveLength(249)
  const seen = org.join('Sina Seen')
  succeeded(await seen.post('/users/me/subscriptions', { subscriptions: [{ name: 'crowded' }] }))
  succeeded(await seen.post('/users/me/presence', { status: 'active', ping_only: true }))
  const partial = await fetched()
  expect(partial).not.toHaveProperty('subscribers')
  expect(partial.partial_subscribers.sort()).toEqual([org.bot.id, seen.id].sort())
})

test('REG-11: all_public_streams brings messages of public channels the user is not subscribed to, never of private ones.', async () => {
  const all = await org.other.register({
    event_types: ['message'],
    fetch_event_types: [],
    all_public_streams: true,
  })
  const own = await org.other.register({ event_types: ['message'], fetch_event_types: [] })
  await org.member.send(org.lobby, 'open', 'heard by who listens to all')
  await org.member.send(org.cellar, 'closed', 'heard by nobody outside')
  await org.member.send([org.owner], '', 'nor this')
  expect((await all.events()).map((event) => event.message.subject)).toEqual(['open'])
  expect(await own.events()).toEqual([])
})

test('REG-12: Guests cannot use all_public_streams.', async () => {
  refused(await org.guest.post('/register', { all_public_streams: true }))
})

test('REG-13: A narrow lets through only messages that match all of its terms.', async () => {
  const heard = async (narrow: [string, string][]) => {
    const queue = await org.member.register({ event_types: ['message'], fetch_event_types: [], narrow })
    await org.other.send(org.plaza, 'Apples', 'to @**Mara Member**')
    await org.other.send(org.plaza, '✔ Pears', 'to all')
    await org.other.send([org.member], '', 'to you')
    await org.member.send(org.lobby, 'Apples', 'my own')
    return (await queue.events()).map((event) => event.message.content)
  }
  const [mention, pears, direct, own] = ['to @**Mara Member**', 'to all', 'to you', 'my own']
  expect(await heard([])).toEqual([mention, pears, direct, own])
  expect(await heard([['is', 'dm']])).toEqual([direct])
  expect(await heard([['is', 'private']])).toEqual([direct])
  expect(await heard([['channel', 'PLAZA']])).toEqual([mention, pears])
  expect(await heard([['stream', 'lobby']])).toEqual([own])
  expect(await heard([['topic', 'apples']])).toEqual([mention, own])
  expect(await heard([['sender', org.other.email]])).toEqual([mention, pears, direct])
  expect(await heard([['is', 'mentioned']])).toEqual([mention])
  expect(await heard([['is', 'unread']])).toEqual([mention, pears, direct])
  expect(await heard([['is', 'resolved']])).toEqual([pears])
  expect(
    await heard([
      ['channel', 'plaza'],
      ['topic', 'apples'],
    ]),
  ).toEqual([mention])

  // The empty topic passes under either of its names, in whichever form the client is told it.
  for (const knowsEmptyTopic of [true, false]) {
    for (const topic of ['', 'general chat']) {
      const queue = await org.member.register({
        ...{ event_types: ['message'], fetch_event_types: [], narrow: [['topic', topic]] },
        client_capabilities: { ...newest, empty_topic_name: knowsEmptyTopic },
      })
      await org.other.send(org.plaza, '', 'below no topic')
      await org.other.send(org.plaza, 'Apples', 'below one')
      expect((await queue.events()).map((event) => event.message.subject)).toEqual([
        knowsEmptyTopic ? '' : 'general chat',
      ])
    }
  }
})

test('REG-14: A narrow with an operator that cannot filter events is rejected.', async () => {
  for (const narrow of [[['search', 'x']], [['is', 'followed']], [['has', 'link']], [['channel']], 'x'])
    refused(await org.member.post('/register', { narrow }))
})

test('REG-15: A narrow filters message events and no others.', async () => {
  const queue = await org.member.register({ narrow: [['is', 'dm']], fetch_event_types: [] })
  const id = await org.other.send(org.plaza, 'elsewhere', 'x')
  succeeded(await org.other.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  expect((await queue.events()).map((event) => event.type)).toContain('reaction')
})

test('REG-16: Registering without credentials is rejected unless the organization allows spectators.', async () => {
  refused(await org.nobody.post('/register'), 'UNAUTHORIZED', 401)
})

test('REG-17: A spectator gets no queue and no events, and only the web-public channels.', async () => {
  const { db } = org.service.workspace
  db.run("INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')")
  db.run('UPDATE channels SET is_web_public = 1 WHERE channel_id = ?', org.plaza)
  const state = succeeded(await org.nobody.post('/register'))
  expect(state.queue_id).toBeNull()
  expect(state.subscriptions).toEqual([])
  expect(state.never_subscribed.map((one: { stream_id: number }) => one.stream_id)).toEqual([org.plaza])
  expect(state).not.toHaveProperty('drafts')
  expect(state).not.toHaveProperty('user_id')
  expect(JSON.stringify(state)).not.toContain('@example.org')
  refused(await org.nobody.post('/register', { client_gravatar: true }))
  refused(await org.nobody.post('/register', { include_subscribers: 'true' }))
  succeeded(await org.nobody.post('/register', { client_gravatar: false, include_subscribers: 'false' }))
  const wrong = await fetch(`${org.service.baseUrl}/register`, {
    method: 'POST',
    headers: { Authorization: 'Basic eDp5' },
  })
  expect(wrong.status, 'wrong credentials are no spectator').toBe(401)
  db.run("DELETE FROM realm WHERE name = 'enable_spectator_access'")
  db.run('UPDATE channels SET is_web_public = 0 WHERE channel_id = ?', org.plaza)
})

test('REG-18: The maximum lengths in the state are the ones enforced.', async () => {
  const { state } = await org.member.register({ fetch_event_types: ['realm'] })
  expect(state).toMatchObject({
    max_topic_length: 60,
    max_message_length: 10_000,
    max_stream_name_length: 60,
    max_stream_description_length: 1024,
    max_channel_folder_name_length: 60,
    max_channel_folder_description_length: 1024,
    event_queue_longpoll_timeout_seconds: 90,
    realm_empty_topic_display_name: 'general chat',
  })
})

test('REG-19: Unread messages are grouped by conversation, with mentions; muted ones are not counted.', async () => {
  const reader = org.join('Rita Reader')
  succeeded(
    await reader.post('/users/me/subscriptions', { subscriptions: [{ name: 'plaza' }, { name: 'lobby' }] }),
  )
  const first = await org.member.send(org.plaza, 'Tea', 'one')
  const second = await org.member.send(org.plaza, 'tea', '@**Rita Reader**')
  const empty = await org.member.send(org.plaza, '', 'no topic')
  const muted = await org.member.send(org.lobby, 'Noise', 'loud')
  const direct = await org.member.send([reader], '', 'hello')
  const group = await org.member.send([reader, org.other], '', 'hello both')
  succeeded(await reader.post('/user_topics', { stream_id: org.lobby, topic: 'noise', visibility_policy: 1 }))
  const { state } = await reader.register({
    fetch_event_types: ['message', 'update_message_flags'],
    client_capabilities: newest,
  })
  expect(state.unread_msgs).toMatchObject({
    count: 5,
    mentions: [second],
    old_unreads_missing: false,
    pms: [{ other_user_id: org.member.id, unread_message_ids: [direct] }],
    huddles: [
      {
        user_ids_string: [org.member.id, org.other.id, reader.id].sort((a, b) => a - b).join(','),
        unread_message_ids: [group],
      },
    ],
  })
  expect(state.unread_msgs.streams).toEqual([
    expect.objectContaining({ stream_id: org.plaza, unread_message_ids: [first, second] }),
    expect.objectContaining({ topic: '', unread_message_ids: [empty] }),
    expect.objectContaining({ stream_id: org.lobby, unread_message_ids: [muted] }),
  ])
})

test('REG-20: Recent conversations are listed newest first, without the user’s own id.', async () => {
  const chatter = org.join('Carl Chatter')
  const group = await chatter.send([org.member, org.other], '', 'a group')
  const self = await chatter.send([chatter], '', 'a note')
  const { state } = await chatter.register({ fetch_event_types: ['recent_private_conversations'] })
  expect(state.recent_private_conversations).toEqual([
    { max_message_id: self, user_ids: [] },
    { max_message_id: group, user_ids: [org.member.id, org.other.id] },
  ])
})

test('REG-21: max_message_id is the user’s newest message, or -1 if there is none.', async () => {
  const fresh = org.join('Fay Fresh')
  const fetched = async () => (await fresh.register({ fetch_event_types: ['message'] })).state.max_message_id
  expect(await fetched()).toBe(-1)
  const id = await org.member.send([fresh], '', 'x')
  expect(await fetched()).toBe(id)
})

test('REG-22: client_gravatar has no effect, because no account uses a third-party avatar provider.', async () => {
  for (const client_gravatar of [true, false]) {
    const { state } = await org.member.register({ fetch_event_types: ['realm_user'], client_gravatar })
    for (const one of state.realm_users) expect(one.avatar_url).toMatch(/^\//)
  }
})

test('REG-23: The state holds what happened before registration, the queue what happens after; nothing is in both.', async () => {
  const before = await org.member.send([org.other], '', 'before')
  const queue = await org.other.register({ event_types: ['message'], fetch_event_types: ['message'] })
  const after = await org.member.send([org.other], '', 'after')
  expect(queue.state.max_message_id).toBe(before)
  expect((await queue.events()).map((event) => event.message.id)).toEqual([after])
})

test('REG-24: A narrow does not bring messages of channels without a subscription.', async () => {
  const queue = await org.other.register({
    event_types: ['message'],
    fetch_event_types: [],
    narrow: [['channel', 'lobby']],
  })
  await org.member.send(org.lobby, 'open', 'not for the other')
  expect(await queue.events()).toEqual([])
})

test('REG-25: Omitted parameters take the defaults of the specification.', async () => {
  const { queue_id: _one, ...silent } = (await org.member.register()).state
  const { queue_id: _two, ...explicit } = (
    await org.member.register({
      apply_markdown: false,
      client_gravatar: true,
      include_subscribers: 'false',
      slim_presence: false,
      presence_history_limit_days: 14,
      all_public_streams: false,
      client_capabilities: {},
      narrow: [],
    })
  ).state
  expect(silent).toEqual(explicit)
})

test('REG-26: null stands for all types, for events and for data.', async () => {
  const queue = await org.member.register({ event_types: null, fetch_event_types: null })
  expect(queue.state).toHaveProperty('realm_users')
  await org.other.send([org.member], '', 'an event')
  expect((await queue.events()).map((event) => event.type)).toContain('message')
})
