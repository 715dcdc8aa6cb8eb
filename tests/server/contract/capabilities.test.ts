import { expect, test } from 'vitest'
import {
  allCapabilities,
  organization,
  refused,
  succeeded,
  type Answer,
  type Fields,
  type Person,
} from '../../support/organization.ts'

const org = organization()
const register = (person: Person, capability: string, value: boolean | undefined, more: object = {}) =>
  person.register({
    fetch_event_types: [],
    ...more,
    client_capabilities: value === undefined ? {} : { [capability]: value },
  })
const channelOf = (list: Answer['body'][], id: number) => list.find((one) => one['stream_id'] === id)

test('CAP-01: With notification_settings_null, a channel setting that follows the user’s own settings is null.', async () => {
  const queue = await register(org.member, 'notification_settings_null', true, {
    fetch_event_types: ['subscription'],
  })
  expect(channelOf(queue.state.subscriptions, org.plaza)).toMatchObject({
    desktop_notifications: null,
    wildcard_mentions_notify: null,
  })
  await org.member.post('/users/me/subscriptions', { subscriptions: [{ name: 'new with null' }] })
  const added = (await queue.events()).find((event) => event.op === 'add')
  expect(added?.subscriptions[0].push_notifications).toBeNull()
})

test('CAP-02: Without notification_settings_null, such a setting has the value of the user’s own settings.', async () => {
  const queue = await register(org.member, 'notification_settings_null', false, {
    fetch_event_types: ['subscription'],
  })
  expect(channelOf(queue.state.subscriptions, org.plaza)).toMatchObject({
    desktop_notifications: false,
    audible_notifications: false,
    push_notifications: false,
    email_notifications: false,
    wildcard_mentions_notify: true,
  })
  await org.member.post('/users/me/subscriptions', { subscriptions: [{ name: 'new without null' }] })
  const added = (await queue.events()).find((event) => event.op === 'add')
  expect(added?.subscriptions[0]).toMatchObject({ push_notifications: false, wildcard_mentions_notify: true })
})

test('CAP-03: With bulk_message_deletion, a deletion is one event with message_ids.', async () => {
  const queue = await register(org.member, 'bulk_message_deletion', true, { event_types: ['delete_message'] })
  const id = await org.member.send(org.plaza, 'gone', 'x')
  succeeded(await org.admin.delete(`/messages/${id}`))
  expect(await queue.events()).toEqual([
    {
      id: 0,
      type: 'delete_message',
      message_ids: [id],
      message_type: 'stream',
      stream_id: org.plaza,
      topic: 'gone',
    },
  ])
})

test('CAP-04: Without bulk_message_deletion, a deletion sends one event with a message_id per message.', async () => {
  for (const value of [false, undefined]) {
    const queue = await register(org.member, 'bulk_message_deletion', value, {
      event_types: ['delete_message'],
    })
    const id = await org.member.send([org.other], '', 'x')
    org.service.workspace.publish([org.member.id], {
      type: 'delete_message',
      message_ids: [id, id + 1],
      message_type: 'private',
    })
    expect(await queue.events()).toEqual([
      { id: 0, type: 'delete_message', message_id: id, message_type: 'private' },
      { id: 1, type: 'delete_message', message_id: id + 1, message_type: 'private' },
    ])
  }
})

test('CAP-05: With or without user_avatar_url_field_optional, users have an avatar_url that can be fetched.', async () => {
  for (const value of [true, false]) {
    const { state } = await register(org.member, 'user_avatar_url_field_optional', value, {
      fetch_event_types: ['realm_user'],
    })
    const { avatar_url } = state.realm_users[0]
    expect((await fetch(new URL(avatar_url, org.service.baseUrl))).status).toBe(200)
  }
})

test('CAP-06: With stream_typing_notifications, a client gets typing events for channels.', async () => {
  const queue = await register(org.member, 'stream_typing_notifications', true, { event_types: ['typing'] })
  succeeded(
    await org.other.post('/typing', { type: 'stream', op: 'start', stream_id: org.plaza, topic: 'T' }),
  )
  expect(await queue.events()).toMatchObject([
    { type: 'typing', op: 'start', stream_id: org.plaza, topic: 'T' },
  ])
})

test('CAP-07: Without stream_typing_notifications, a client gets typing events for direct messages only.', async () => {
  const queue = await register(org.member, 'stream_typing_notifications', false, { event_types: ['typing'] })
  succeeded(
    await org.other.post('/typing', { type: 'stream', op: 'start', stream_id: org.plaza, topic: 'T' }),
  )
  succeeded(await org.other.post('/typing', { op: 'start', to: [org.member.id] }))
  expect(await queue.events()).toMatchObject([{ type: 'typing', message_type: 'direct' }])
})

test('CAP-08: With user_settings_object, a changed setting is one user_settings event and no legacy keys are fetched.', async () => {
  const types = ['user_settings', 'update_display_settings', 'update_global_notifications']
  const queue = await register(org.member, 'user_settings_object', true, {
    event_types: types,
    fetch_event_types: types,
  })
  expect(queue.state.user_settings.twenty_four_hour_time).toBe(false)
  expect(queue.state).not.toHaveProperty('twenty_four_hour_time')
  succeeded(await org.member.patch('/settings', { twenty_four_hour_time: true }))
  expect(await queue.events()).toEqual([
    { id: 0, type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
  ])
})

test('CAP-09: Without user_settings_object, the legacy events are sent in addition, and the legacy keys are fetched.', async () => {
  const types = ['user_settings', 'update_display_settings', 'update_global_notifications']
  const queue = await register(org.other, 'user_settings_object', false, {
    event_types: types,
    fetch_event_types: types,
  })
  expect(queue.state).toMatchObject({ fluid_layout_width: false, enable_sounds: true })
  succeeded(await org.other.patch('/settings', { fluid_layout_width: true, enable_sounds: false }))
  const user = org.other.email
  expect((await queue.events()).map(({ id: _, ...event }) => event)).toEqual(
    expect.arrayContaining([
      { type: 'user_settings', op: 'update', property: 'fluid_layout_width', value: true },
      { type: 'update_display_settings', user, setting_name: 'fluid_layout_width', setting: true },
      { type: 'user_settings', op: 'update', property: 'enable_sounds', value: false },
      { type: 'update_global_notifications', user, notification_name: 'enable_sounds', setting: false },
    ]),
  )
})

test('CAP-10: With linkifier_url_template, the linkifiers are fetched and their events are sent.', async () => {
  org.service.workspace.db.run(
    "INSERT INTO linkifiers (pattern, url_template, position) VALUES ('#(?P<id>[0-9]+)', 'https://example.org/{id}', 1)",
  )
  const queue = await register(org.member, 'linkifier_url_template', true, {
    fetch_event_types: ['realm_linkifiers'],
  })
  expect(queue.state.realm_linkifiers).toMatchObject([{ url_template: 'https://example.org/{id}' }])
  org.service.workspace.publish(null, { type: 'realm_linkifiers', realm_linkifiers: [] })
  expect(await queue.events()).toEqual([{ id: 0, type: 'realm_linkifiers', realm_linkifiers: [] }])
})

test('CAP-11: Without linkifier_url_template, the list is empty and no events are sent.', async () => {
  const queue = await register(org.member, 'linkifier_url_template', false, {
    fetch_event_types: ['realm_linkifiers'],
  })
  expect(queue.state.realm_linkifiers).toEqual([])
  org.service.workspace.publish(null, { type: 'realm_linkifiers', realm_linkifiers: [] })
  expect(await queue.events()).toEqual([])
})

const ids = (list: Answer['body'][]) => list.map((one) => one['user_id'])

test('CAP-12: With user_list_incomplete, a guest receives no users they may not know, neither initially nor later.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const queue = await register(org.guest, 'user_list_incomplete', true, {
      fetch_event_types: ['realm_user'],
      event_types: ['realm_user'],
    })
    expect(ids(queue.state.realm_users)).toEqual(
      expect.arrayContaining([org.guest.id, org.member.id, org.bot.id]),
    )
    expect(ids(queue.state.realm_users)).not.toContain(org.other.id)
    const everybody = await org.member.register({ fetch_event_types: ['realm_user'] })
    expect(ids(everybody.state.realm_users)).toContain(org.other.id)
    org.service.workspace.publish(null, {
      type: 'realm_user',
      op: 'add',
      person: { user_id: org.other.id, full_name: org.other.name, email: org.other.email },
    })
    expect(await queue.events()).toEqual([])
  })
})

test('CAP-13: Without user_list_incomplete, those users are listed as unknown users, without any of their data.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const queue = await register(org.guest, 'user_list_incomplete', false, {
      fetch_event_types: ['realm_user'],
      event_types: ['realm_user'],
    })
    const stranger = queue.state.realm_users.find((one: { user_id: number }) => one.user_id === org.other.id)
    expect(stranger.full_name).toBe('Unknown user')
    expect(JSON.stringify(stranger)).not.toMatch(/otto/i)
    org.service.workspace.publish(null, {
      type: 'realm_user',
      op: 'add',
      person: { user_id: org.other.id, full_name: org.other.name, email: org.other.email },
    })
    const [event] = await queue.events()
    expect(event?.person.user_id).toBe(org.other.id)
    expect(JSON.stringify(event)).not.toMatch(/otto/i)
  })
})

test('CAP-14: With include_deactivated_groups, deactivated groups are listed.', async () => {
  const { lastId } = org.service.workspace.db.run(
    "INSERT INTO user_groups (name, is_active) VALUES ('retired', 0)",
  )
  const listed = async (value: boolean) =>
    (
      await register(org.member, 'include_deactivated_groups', value, {
        fetch_event_types: ['realm_user_groups'],
      })
    ).state.realm_user_groups.map((group: { id: number }) => group.id)
  expect(await listed(true)).toContain(lastId)
})

test('CAP-15: Without include_deactivated_groups, only active groups are listed.', async () => {
  const { state } = await register(org.member, 'include_deactivated_groups', false, {
    fetch_event_types: ['realm_user_groups'],
  })
  expect(state.realm_user_groups.length).toBeGreaterThan(0)
  expect(state.realm_user_groups.map((group: { name: string }) => group.name)).not.toContain('retired')
})

test('CAP-16: With archived_channels, archived channels are among the subscriptions.', async () => {
  org.service.workspace.db.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', org.lobby)
  const { state } = await register(org.member, 'archived_channels', true, {
    fetch_event_types: ['subscription'],
  })
  expect(channelOf(state.subscriptions, org.lobby)?.['is_archived']).toBe(true)
})

test('CAP-17: Without archived_channels, archived channels are not among the subscriptions.', async () => {
  const { state } = await register(org.member, 'archived_channels', false, {
    fetch_event_types: ['subscription'],
  })
  expect(channelOf(state.subscriptions, org.lobby)).toBeUndefined()
  expect(channelOf(state.never_subscribed, org.lobby)).toBeUndefined()
  expect(channelOf(state.subscriptions, org.plaza)).toBeDefined()
  org.service.workspace.db.run('UPDATE channels SET is_archived = 0 WHERE channel_id = ?', org.lobby)
})

test('CAP-25: With archived_channels, a client gets events about subscribers of archived channels, and about such channels that become visible; without it, it gets none.', async () => {
  const archived = succeeded(
    await org.owner.post('/channels/create', {
      name: 'over',
      subscribers: [org.member.id, org.other.id],
    }),
  ).id
  succeeded(await org.owner.delete(`/streams/${archived}`))
  const [leaver, climber] = [org.join('Lena Leaver'), org.join('Clara Climber', 600)]
  org.service.workspace.db.run(
    'UPDATE subscriptions SET user_id = ? WHERE user_id = ? AND channel_id = ?',
    leaver.id,
    org.other.id,
    archived,
  )
  const of = { event_types: ['subscription', 'stream'] }
  const listening = (person: Person) =>
    Promise.all([true, false].map((value) => register(person, 'archived_channels', value, of)))
  const [members, climbers] = [await listening(org.member), await listening(climber)]
  succeeded(await org.owner.delete(`/users/${leaver.id}`))
  succeeded(await org.owner.patch(`/users/${climber.id}`, { role: 400 }))
  const about = async (queues: typeof members, kind: string) =>
    (await Promise.all(queues.map((queue) => queue.events()))).map((events) =>
      events
        .filter(({ type, op }) => `${type} ${op}` === kind)
        .flatMap(({ streams, stream_ids }) => stream_ids ?? streams.map((one: Fields) => one['stream_id']))
        .includes(archived),
    )
  expect(await about(members, 'subscription peer_remove')).toEqual([true, false])
  expect(await about(climbers, 'stream create')).toEqual([true, false])
})

async function emptyTopics(value: boolean) {
  const id = await org.other.send(org.plaza, '', 'before')
  succeeded(await org.member.post('/user_topics', { stream_id: org.plaza, topic: '', visibility_policy: 3 }))
  const queue = await register(org.member, 'empty_topic_name', value, {
    fetch_event_types: ['message', 'update_message_flags', 'user_topic'],
  })
  const state = {
    unread: queue.state.unread_msgs.streams.map((one: { topic: string }) => one.topic),
    followed: queue.state.user_topics
      .map((one: { topic_name: string }) => one.topic_name)
      // Followed by itself when it was begun.
      .filter((topic: string) => topic !== 'gone'),
  }
  succeeded(await org.member.post('/user_topics', { stream_id: org.plaza, topic: '', visibility_policy: 1 }))
  succeeded(await org.member.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
  succeeded(await org.member.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }))
  const other = await org.other.send(org.plaza, '', 'message')
  succeeded(
    await org.admin.patch(`/messages/${other}`, { topic: 'named', send_notification_to_new_thread: false }),
  )
  succeeded(
    await org.admin.patch(`/messages/${other}`, { topic: '', send_notification_to_new_thread: false }),
  )
  succeeded(await org.admin.delete(`/messages/${other}`))
  const events = await queue.events()
  const of = (type: string) => events.filter((event) => event.type === type)
  return {
    ...state,
    topic: of('user_topic').map((event) => event.topic_name),
    details: of('update_message_flags').flatMap((event) =>
      Object.values<{ topic: string }>(event.message_details ?? {}).map((detail) => detail.topic),
    ),
    message: of('message').map((event) => event.message.subject),
    moved: of('update_message').map((event) => [event.orig_subject, event.subject]),
    deleted: of('delete_message').map((event) => event.topic),
  }
}

const withName = (name: string) => ({
  unread: [name],
  followed: [name],
  // Muted, and then not: a topic that was not muted was joined to it.
  topic: [name, name],
  details: [name],
  message: [name],
  moved: [
    [name, 'named'],
    ['named', name],
  ],
  deleted: [name],
})

test('CAP-18: With empty_topic_name, the empty topic is the empty string everywhere.', async () => {
  expect(await emptyTopics(true)).toEqual(withName(''))
})

test('CAP-19: Without empty_topic_name, the empty topic is its display name, in the state and in every event.', async () => {
  expect(await emptyTopics(false)).toEqual(withName('general chat'))
})

test('CAP-20: With simplified_presence_events, presence events contain presences by user id.', async () => {
  const queue = await register(org.member, 'simplified_presence_events', true, { event_types: ['presence'] })
  succeeded(await org.admin.post('/users/me/presence', { status: 'active' }))
  expect(await queue.events()).toMatchObject([
    { type: 'presence', presences: { [String(org.admin.id)]: { active_timestamp: expect.any(Number) } } },
  ])
})

test('CAP-21: Without simplified_presence_events, a presence event contains one user in the legacy form.', async () => {
  const queue = await register(org.member, 'simplified_presence_events', false, { event_types: ['presence'] })
  succeeded(await org.moderator.post('/users/me/presence', { status: 'active' }))
  expect(await queue.events()).toMatchObject([
    { type: 'presence', user_id: org.moderator.id, presence: { website: { status: 'active' } } },
  ])
})

test('CAP-22: Unknown capabilities are not an error.', async () => {
  succeeded(
    await org.member.post('/register', { client_capabilities: { time_travel: true }, fetch_event_types: [] }),
  )
})

test('CAP-23: A capability that is not declared counts as false.', async () => {
  const everything = async (client_capabilities?: object) => {
    const { queue_id: _id, ...state } = (await org.member.register({ client_capabilities })).state
    return state
  }
  const none = Object.fromEntries(Object.keys(allCapabilities).map((name) => [name, false]))
  const state = await everything()
  expect(await everything({})).toEqual(state)
  expect(await everything(none)).toEqual(state)
  expect(await everything(allCapabilities)).not.toEqual(state)
})

test.each(Object.keys(allCapabilities))(
  'CAP-24: Each of the eleven capabilities must be true or false (%s).',
  async (name) => {
    const declare = (value: unknown) =>
      org.member.post('/register', { fetch_event_types: [], client_capabilities: { [name]: value } })
    for (const value of [true, false]) succeeded(await declare(value))
    for (const value of ['true', 1, null]) refused(await declare(value))
  },
)

test('CAP-26: Changes to an archived channel are sent only to clients with archived_channels.', async () => {
  const { id } = succeeded(
    await org.owner.post('/channels/create', { name: 'done', subscribers: [org.member.id] }),
  )
  succeeded(await org.owner.delete(`/streams/${id}`))
  const of = { event_types: ['stream'] }
  const [knows, knowsNot] = [
    await register(org.member, 'archived_channels', true, of),
    await register(org.member, 'archived_channels', false, of),
  ]
  succeeded(await org.owner.patch(`/streams/${id}`, { description: 'Over and done with' }))
  expect(await knows.events()).toMatchObject([{ op: 'update', property: 'description', stream_id: id }])
  expect(await knowsNot.events()).toEqual([])
})
