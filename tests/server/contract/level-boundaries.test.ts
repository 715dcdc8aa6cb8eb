import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Answer,
  type Fields,
  type Organization,
  setRealmPermission,
} from '../../support/organization.ts'
import { webhookReceiver } from '../../support/webhook-receiver.ts'

// What a service does at the last level before a change, and at the level that brought it (specification, Versioning).

const receiver = webhookReceiver()
const pushed: { payload: object }[] = []
const bouncer = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (body += part))
  request.on('end', () => {
    pushed.push(JSON.parse(body))
    response.end()
  })
})
const configuration = { allowPrivateWebhooks: true, pushBouncerUrl: '' }
const org = organization({ configuration })
beforeAll(async () => {
  await new Promise<void>((resolve) => bouncer.listen(0, '127.0.0.1', resolve))
  configuration.pushBouncerUrl = `http://127.0.0.1:${(bouncer.address() as AddressInfo).port}`
  await org.service.restartAt(420)
})
afterAll(() => void bouncer.close())

/** The organization, served at a level. */
async function at(level: number): Promise<Organization> {
  if (org.service.workspace.featureLevel !== level) await org.service.restartAt(level)
  return org
}

/** What is seen just before a level and at it. */
const around = async <T>(
  level: number,
  look: (org: Organization, level: number) => Promise<T>,
): Promise<T[]> => [await look(await at(level - 1), level - 1), await look(await at(level), level)]

const group = (org: Organization, name: Parameters<typeof systemGroupId>[1]) =>
  systemGroupId(org.service.workspace.db, name)
const newGroup = async (org: Organization, fields: Fields = {}): Promise<number> => {
  const name = fresh('g')
  succeeded(await org.owner.post('/user_groups/create', { name, description: '', members: [], ...fields }))
  // Before 317 the answer has no id.
  const { user_groups: groups } = succeeded(await org.owner.get('/user_groups'))
  return groups.find((one: { name: string }) => one.name === name).id
}

const changeGroup = (fields: (org: Organization) => Fields) => async (org: Organization) =>
  org.owner.patch(`/user_groups/${await newGroup(org)}`, { name: fresh('g'), ...fields(org) })
const giveGroup = (name: string) => changeGroup((org) => ({ [name]: { new: group(org, 'role:moderators') } }))
const changeMembers = (name: string) => async (org: Organization) => {
  const [outer, inner] = [await newGroup(org), await newGroup(org)]
  const add = { add: [org.member.id] }
  if (name === 'delete_subgroups') {
    const filled = await newGroup(org, { subgroups: [inner] })
    return org.owner.post(`/user_groups/${filled}/members`, { ...add, [name]: [inner] })
  }
  return org.owner.post(`/user_groups/${outer}/members`, { ...add, [name]: [inner] })
}
const invite = (fields: Fields) => (org: Organization) => org.owner.post('/invites/multiuse', fields)
const list = (name: string) => (org: Organization) => org.member.get('/streams', { [name]: true })

const parameters: readonly (readonly [number, string, (org: Organization) => Promise<Answer>])[] = [
  [261, 'include_realm_default_subscriptions', invite({ include_realm_default_subscriptions: true })],
  [283, 'can_manage_group', giveGroup('can_manage_group')],
  [
    288,
    'presence_history_limit_days',
    (org) => org.member.post('/register', { presence_history_limit_days: 1, fetch_event_types: [] }),
  ],
  [301, 'can_join_group', giveGroup('can_join_group')],
  [305, 'can_add_members_group', giveGroup('can_add_members_group')],
  [308, 'can_leave_group', giveGroup('can_leave_group')],
  [311, 'add_subgroups', changeMembers('add_subgroups')],
  [311, 'delete_subgroups', changeMembers('delete_subgroups')],
  [315, 'exclude_archived', list('exclude_archived')],
  [322, 'group_ids', invite({ group_ids: [] })],
  [324, 'can_remove_members_group', giveGroup('can_remove_members_group')],
  [
    334,
    'allow_empty_topic_name',
    (org) => org.member.get(`/users/me/${org.plaza}/topics`, { allow_empty_topic_name: true }),
  ],
  [
    334,
    'allow_empty_topic_name',
    async (org) =>
      org.member.get(`/messages/${await org.member.send(org.plaza, 'a', 'b')}`, {
        allow_empty_topic_name: true,
      }),
  ],
  [356, 'include_all', list('include_all')],
  [356, 'include_can_access_content', list('include_can_access_content')],
  [386, 'deactivated', changeGroup(() => ({ deactivated: false }))],
  [416, 'welcome_message_custom_text', invite({ welcome_message_custom_text: 'hello' })],
]

test.each(parameters)(
  'LEVEL-25: A parameter is recognized from its level on, and listed as unsupported before it (%i, %s).',
  async (level, name, ask) => {
    const listed = await around(
      level,
      async (org) => succeeded(await ask(org))['ignored_parameters_unsupported'] ?? [],
    )
    expect(listed).toEqual([[name], []])
  },
)

test('LEVEL-26: Before 303, deactivated users are still listed among the holders of a permission.', async () => {
  const seen = await around(303, async (org) => {
    const gone = org.join(fresh('Gone'))
    const holders = { direct_members: [org.member.id, gone.id], direct_subgroups: [] }
    const id = await newGroup(org, { can_join_group: holders })
    const channel = { name: fresh('channel'), subscribers: [] }
    const subscribed = { subscriptions: [channel], can_add_subscribers_group: holders }
    succeeded(await org.owner.post('/users/me/subscriptions', subscribed))
    succeeded(await org.admin.delete(`/users/${gone.id}`))
    const named = (one: Record<string, { direct_members: number[] }> | undefined, name: string) =>
      one?.[name]?.direct_members.includes(gone.id)
    const { user_groups: groups } = succeeded(await org.owner.get('/user_groups'))
    const { streams } = succeeded(await org.owner.get('/streams'))
    return [
      named(
        groups.find((one: { id: number }) => one.id === id),
        'can_join_group',
      ),
      named(
        streams.find((one: { name: string }) => one.name === channel.name),
        'can_add_subscribers_group',
      ),
    ]
  })
  expect(seen).toEqual([
    [true, true],
    [false, false],
  ])
})

test('LEVEL-27: Before 320, can_remove_subscribers_group is always a single system group.', async () => {
  const seen = await around(320, async (org) => {
    const only = { direct_members: [org.member.id], direct_subgroups: [] }
    const id = org.service.createChannel(fresh('channel'), [org.owner.id])
    succeeded(await org.owner.patch(`/streams/${id}`, { can_remove_subscribers_group: { new: only } }))
    const { stream } = succeeded(await org.owner.get(`/streams/${id}`))
    return [stream.can_remove_subscribers_group, group(org, 'role:administrators'), only]
  })
  expect(seen[0]?.[0]).toBe(seen[0]?.[1])
  expect(seen[1]?.[0]).toEqual(seen[1]?.[2])
})

test('LEVEL-28: A hidden address is omitted before 163, and null from then on.', async () => {
  const seen = await around(163, async (org) => {
    succeeded(await org.member.patch('/settings', { email_address_visibility: 4 }))
    const { user } = succeeded(await org.other.get(`/users/${org.member.id}`))
    return ['delivery_email' in user, user.delivery_email]
  })
  expect(seen).toEqual([
    [false, undefined],
    [true, null],
  ])
})

test('LEVEL-29: A spectator’s client_gravatar is ignored before 149 and an error from then on.', async () => {
  const seen = await around(149, async (org) => {
    const { db } = org.service.workspace
    db.run("INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')")
    return (await org.nobody.post('/register', { client_gravatar: true, fetch_event_types: [] })).status
  })
  expect(seen).toEqual([200, 400])
})

/** Makes an outgoing webhook bot, and answers what a message that calls it sends to its server. */
const called = async (call: (bot: { id: number; name: string }) => Promise<Answer>) => {
  const name = fresh('Echo')
  const bot = {
    full_name: name,
    short_name: name.replace(' ', '-').toLowerCase(),
    bot_type: 3,
    payload_url: receiver.url,
  }
  const { user_id: id } = succeeded(await org.member.post('/bots', bot))
  receiver.received.length = 0
  succeeded(await call({ id, name }))
  await expect.poll(() => receiver.received.length).toBe(1)
  return JSON.parse(receiver.received[0]?.body ?? '')
}

test('LEVEL-30: Before 201, the trigger of a webhook for a direct message is private_message.', async () => {
  const write = ({ id }: { id: number }) =>
    org.other.post('/messages', { type: 'private', to: [id], content: 'psst' })
  const seen = await around(201, async () => (await called(write)).trigger)
  expect(seen).toEqual(['private_message', 'direct_message'])
})

test('LEVEL-40: The message in a webhook has the format of the feature level.', async () => {
  const mention = ({ name }: { name: string }) =>
    org.other.post('/messages', {
      type: 'stream',
      to: org.plaza,
      topic: 'https://example.com/x',
      content: `@**${name}**`,
    })
  const seen = await around(46, async () => (await called(mention)).message.topic_links)
  expect(seen).toEqual([
    ['https://example.com/x'],
    [{ text: 'https://example.com/x', url: 'https://example.com/x' }],
  ])
})

test('LEVEL-31: From 234 on, the event of the test notification is test and names the organization.', async () => {
  const seen = await around(234, async (org) => {
    succeeded(await org.member.post('/users/me/android_gcm_reg_id', { token: 'a-device' }))
    pushed.length = 0
    succeeded(await org.member.post('/mobile_push/test_notification', { token: 'a-device' }))
    return pushed[0]?.payload
  })
  expect(seen).toMatchObject([
    { event: 'test-by-device-token' },
    { event: 'test', realm_name: 'Local workspace' },
  ])
  expect(seen[0]).not.toHaveProperty('realm_name')
})

test('LEVEL-32: Typing in an edited message is reported from 351 on, and has its own path before 361.', async () => {
  const seen: unknown[] = []
  for (const level of [350, 351, 360, 361]) {
    const org = await at(level)
    const id = await org.member.send(org.plaza, 'Typing', 'mine')
    const queue = await org.other.register({ event_types: ['typing_edit_message'], fetch_event_types: [] })
    const { status: older } = await org.member.post('/message_edit_typing', { message_id: id, op: 'start' })
    const { status: newer } = await org.member.post(`/messages/${id}/typing`, { op: 'start' })
    seen.push([older, newer, (await queue.events()).map((event) => event['message_id'] === id)])
  }
  expect(seen).toEqual([
    [404, 404, []],
    [200, 404, [true]],
    [200, 404, [true]],
    [404, 200, [true]],
  ])
})

test('LEVEL-33: The permission to mention a group is set as an id before 258, as a value before 260, and as a change of a value from then on.', async () => {
  const taken: unknown[] = []
  for (const level of [197, 198, 257, 258, 259, 260]) {
    const org = await at(level)
    const id = group(org, 'role:moderators')
    const people = { direct_members: [org.member.id], direct_subgroups: [] }
    const takes = async (name: string, value: unknown) => {
      const of = await newGroup(org)
      const answer = await org.owner.patch(`/user_groups/${of}`, { name: fresh('g'), [name]: value })
      const { user_groups: groups } = succeeded(await org.owner.get('/user_groups'))
      const kept = groups.find((one: { id: number }) => one.id === of).can_mention_group
      const isKept = kept === id || kept.direct_members?.includes(org.member.id) === true
      expect([level, name, value, isKept && answer.status !== 200]).toEqual([level, name, value, false])
      return isKept
    }
    taken.push([
      level,
      await takes('can_mention_group_id', id),
      await takes('can_mention_group', id),
      await takes('can_mention_group', people),
      await takes('can_mention_group', { new: people }),
    ])
  }
  expect(taken).toEqual([
    [197, true, false, false, false],
    [198, false, true, false, false],
    [257, false, true, false, false],
    [258, false, true, true, false],
    [259, false, true, true, false],
    [260, false, false, false, true],
  ])
})

test('LEVEL-34: Before 2, a reaction without a type is a Unicode emoji.', async () => {
  const seen = await around(2, async (org) => {
    org.service.workspace.db.run(
      "INSERT OR IGNORE INTO realm_emoji (name, author_id, file_name, content_type) VALUES ('tada', ?, 'x', 'image/png')",
      org.member.id,
    )
    const id = await org.member.send(org.plaza, 'Reactions', 'look')
    succeeded(await org.member.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    const { messages } = succeeded(
      await org.member.get('/messages', { anchor: id, num_before: 0, num_after: 0 }),
    )
    return messages[0].reactions[0].reaction_type
  })
  expect(seen).toEqual(['unicode_emoji', 'realm_emoji'])
})

test('LEVEL-35: Before 78, the answer repeats the changed settings; from then on it lists unsupported parameters.', async () => {
  const seen = await around(78, async (org) => {
    const person = org.join(fresh('Person'))
    const fields = {
      color_scheme: 2,
      twenty_four_hour_time: false,
      full_name: 'Mara M.',
      old_password: 'correct horse battery',
      new_password: 'brand new words',
      wallpaper: 'reeds',
    }
    const { result: _, msg: __, ...rest } = succeeded(await person.patch('/settings/display', fields))
    return rest
  })
  expect(seen).toEqual([
    { color_scheme: 2, full_name: 'Mara M.' },
    { ignored_parameters_unsupported: ['wallpaper'] },
  ])
})

test('LEVEL-41: Before 80, PATCH /settings changes only name, address and password.', async () => {
  const seen = await around(80, async (org) => {
    const person = org.join(fresh('Person'))
    const name = fresh('Renamed')
    const wish = { full_name: name, enter_sends: true, default_view: 'inbox', dense_mode: true }
    const answer = succeeded(await person.patch('/settings', wish))
    expect(succeeded(await person.get('/users/me')).full_name).toBe(name)
    return answer['ignored_parameters_unsupported']
  })
  expect(seen).toEqual([['enter_sends', 'default_view', 'dense_mode'], undefined])
})

test.each([
  [383, 3],
  [401, 4],
])(
  'LEVEL-36: A default view of channels can be set from its level on, at each path of the endpoint (%i, %i).',
  async (level, view) => {
    for (const path of ['/settings', '/settings/display', '/settings/notifications']) {
      const change = async (org: Organization) =>
        (await org.member.patch(path, { web_channel_default_view: view })).status
      expect([path, ...(await around(level, change))]).toEqual([path, 400, 200])
    }
  },
)

test('LEVEL-37: Dense mode can be set before 364, and is an unsupported parameter from then on.', async () => {
  const seen = await around(364, async (org) => {
    const answer = succeeded(await org.member.patch('/settings', { dense_mode: false }))
    const { state } = await org.member.register({ fetch_event_types: ['user_settings'] })
    return [answer['ignored_parameters_unsupported'], state['user_settings'].dense_mode]
  })
  expect(seen).toEqual([
    [undefined, false],
    [['dense_mode'], undefined],
  ])
})

const deprecated: readonly (readonly [string, (org: Organization) => Promise<unknown>])[] = [
  ['PATCH /settings/display', async (org) => succeeded(await org.member.patch('/settings/display'))],
  [
    'PATCH /settings/notifications',
    async (org) => succeeded(await org.member.patch('/settings/notifications')),
  ],
  [
    'POST /mark_topic_as_read',
    async (org) => {
      await org.member.send(org.plaza, 'Old ways', 'x')
      return succeeded(
        await org.other.post('/mark_topic_as_read', { stream_id: org.plaza, topic_name: 'Old ways' }),
      )
    },
  ],
  [
    'POST /mobile_push/test_notification',
    async (org) => succeeded(await org.other.post('/mobile_push/test_notification')),
  ],
  [
    'include_all_active',
    async (org) => succeeded(await org.admin.get('/streams', { include_all_active: true })),
  ],
  [
    'stream_post_policy',
    async (org) => succeeded(await org.admin.get('/streams')).streams[0].stream_post_policy,
  ],
  [
    'is_announcement_only',
    async (org) => succeeded(await org.admin.get('/streams')).streams[0].is_announcement_only,
  ],
  ['realm_uri', async (org) => succeeded(await org.nobody.get('/server_settings')).realm_uri],
  [
    'authentication_methods',
    async (org) => succeeded(await org.nobody.get('/server_settings')).authentication_methods,
  ],
  [
    'raw_content',
    async (org) =>
      succeeded(await org.member.get(`/messages/${await org.member.send(org.plaza, 'a', 'b')}`)).raw_content,
  ],
  ['max_message_id', async (org) => succeeded(await org.member.get('/users/me')).max_message_id],
]

test.each(deprecated)(
  'LEVEL-38: Deprecated endpoints, parameters and fields still exist at the newest level (%s).',
  async (_name, look) => {
    expect(await look(await at(420))).toBeDefined()
  },
)

test('LEVEL-39: Before 209, only administrators create reusable invitations; from 126 on, their lifetime can be set.', async () => {
  const asked = await around(209, async (org) => {
    const { db } = org.service.workspace
    setRealmPermission(db, 'create_multiuse_invite_group', systemGroupId(db, 'role:members'))
    return (await org.member.post('/invites/multiuse')).status
  })
  expect(asked).toEqual([400, 200])
  const lasting = await around(126, async (org) => {
    const fields = { invite_expires_in_minutes: 5 }
    const { invite_link: link } = succeeded(await org.admin.post('/invites/multiuse', fields))
    await org.clock.advance(6 * 60_000)
    return (await fetch(link)).status
  })
  expect(lasting).toEqual([200, 404])
  refused(await (await at(209)).guest.post('/invites/multiuse'))
})
