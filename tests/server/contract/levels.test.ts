import { expect, test } from 'vitest'
import { organization, succeeded, type Organization } from '../../support/organization.ts'

// The service behaves as an older level where it is asked to (specification, Versioning and every "since" of it).

const org = organization()
/** The organization, served at a level. */
async function at(level: number): Promise<Organization> {
  if (org.service.workspace.featureLevel !== level) await org.service.restartAt(level)
  return org
}

/** The last level before a change, and the one that brought it. */
const around = (level: number) => [level - 1, level]
/** What is observed at each of those, in their order. */
async function each<T>(change: number, look: (org: Organization, level: number) => Promise<T>): Promise<T[]> {
  const seen: T[] = []
  for (const level of around(change)) seen.push(await look(await at(level), level))
  return seen
}
const since = [false, true]

const message = async (org: Organization, id: number) =>
  succeeded(await org.member.get('/messages', { anchor: id, num_before: 0, num_after: 0 }))['messages'][0]

test('LEVEL-01: The feature level is reported by the server settings and at registration.', async () => {
  const reported = await each(167, async (org) => [
    succeeded(await org.nobody.get('/server_settings'))['service_feature_level'],
    (await org.member.register({ fetch_event_types: [] })).state['service_feature_level'],
  ])
  expect(reported).toEqual(around(167).map((level) => [level, level]))
})

test('LEVEL-02: Fields of the server settings appear from their feature levels on.', async () => {
  const has = (name: string, level: number) =>
    each(level, async (org) => name in succeeded(await org.nobody.get('/server_settings')))
  expect(await has('service_merge_base', 88)).toEqual(since)
  expect(await has('realm_web_public_access_enabled', 116)).toEqual(since)
  expect(await has('realm_url', 257)).toEqual(since)
  expect(await has('realm_uri', 257)).toEqual([true, true])
})

test('LEVEL-03: Unknown parameters are listed from 167 on; for settings from 78 on, for subscriptions from 111 on.', async () => {
  const lists = (level: number, call: (org: Organization) => ReturnType<Organization['member']['get']>) =>
    each(level, async (org) => 'ignored_parameters_unsupported' in succeeded(await call(org)))
  expect(await lists(167, (org) => org.member.get('/users/me', { x: 1 }))).toEqual(since)
  expect(
    await lists(111, (org) =>
      org.member.post('/users/me/subscriptions/properties', { subscription_data: [], x: 1 }),
    ),
  ).toEqual(since)
  for (const path of ['/settings/display', '/settings/notifications'])
    expect(await lists(78, (org) => org.member.patch(path, { x: 1 }))).toEqual(since)
})

const endpoints: readonly (readonly [
  level: number,
  endpoint: string,
  (org: Organization) => ReturnType<Organization['member']['get']>,
])[] = [
  [48, 'POST /users/me/muted_users/{id}', (org) => org.member.post('/users/me/muted_users/1')],
  [49, 'POST /realm/playgrounds', (org) => org.owner.post('/realm/playgrounds')],
  [57, 'PATCH /realm/filters/{id}', (org) => org.owner.patch('/realm/filters/1')],
  [87, 'GET /drafts', (org) => org.member.get('/drafts')],
  [170, 'POST /user_topics', (org) => org.member.post('/user_topics')],
  [173, 'GET /scheduled_messages', (org) => org.member.get('/scheduled_messages')],
  [179, 'POST /scheduled_messages', (org) => org.member.post('/scheduled_messages')],
  [184, 'PATCH /scheduled_messages/{id}', (org) => org.member.patch('/scheduled_messages/1')],
  [368, 'PATCH /saved_snippets/{id}', (org) => org.member.patch('/saved_snippets/1', { method: 'x' })],
  [389, 'PATCH /channel_folders/{id}', (org) => org.owner.patch('/channel_folders/1')],
  [390, 'GET /navigation_views', (org) => org.member.get('/navigation_views')],
  [417, 'POST /channels/create', (org) => org.owner.post('/channels/create')],
]

test.each(endpoints)(
  'LEVEL-04: An endpoint exists from its feature level on (%i, %s).',
  async (level, _name, call) => {
    // Nothing of this name, nothing of this method; what is there and does not find its object has other words.
    const isThere = async (org: Organization) => {
      const { status, body } = await call(org)
      return status !== 405 && body['msg'] !== 'There is no such endpoint.'
    }
    expect(await each(level, isThere)).toEqual(since)
  },
)

test('LEVEL-05: From 120 on, GET /messages/{id} returns the message itself, as HTML or Markdown.', async () => {
  const seen = await each(120, async (org) => {
    const id = await org.other.send(org.plaza, 'Levels', '*one*')
    const body = succeeded(await org.member.get(`/messages/${id}`, { apply_markdown: false }))
    return [body['raw_content'], body['message']?.content]
  })
  expect(seen).toEqual(around(120).map((level) => ['*one*', level < 120 ? undefined : '*one*']))
})

test('LEVEL-06: The empty topic is (no topic) before 334, and a separate topic from then on.', async () => {
  const seen = await each(334, async (org) => {
    const { state } = await org.member.register({
      event_types: ['message', 'realm'],
      client_capabilities: { empty_topic_name: true },
    })
    const id = await org.other.send(org.plaza, '', 'nameless')
    const shown = succeeded(
      await org.member.get('/messages', {
        anchor: id,
        num_before: 0,
        num_after: 0,
        allow_empty_topic_name: true,
      }),
    )
    return [shown['messages'][0].subject, state['realm_empty_topic_display_name']]
  })
  expect(seen).toEqual(
    around(334).map((level) => (level < 334 ? ['(no topic)', undefined] : ['', 'general chat'])),
  )
})

test('LEVEL-07: Wildcard mentions have a single flag before 224, and additional specific flags from then on.', async () => {
  const seen = await each(224, async (org) => {
    const queue = await org.member.register({ event_types: ['message'], fetch_event_types: [] })
    const id = await org.other.send(org.plaza, 'Levels', '@**all**')
    return [(await message(org, id)).flags, (await queue.events())[0]?.['flags']]
  })
  const flags = (level: number) =>
    level < 224 ? ['wildcard_mentioned'] : ['stream_wildcard_mentioned', 'wildcard_mentioned']
  expect(seen).toEqual(around(224).map((level) => [flags(level), flags(level)]))
})

test('LEVEL-08: Topic links are addresses before 46, and also have texts from then on.', async () => {
  const seen = await each(46, async (org) => {
    const id = await org.other.send(org.plaza, 'https://example.com/x', 'links')
    const { topic_links: links } = await message(org, id)
    return typeof links[0]
  })
  expect(seen).toEqual(around(46).map((level) => (level < 46 ? 'string' : 'object')))
})

test('LEVEL-09: Before 327, the recipient id of a received direct message was the reader’s; from then on it is the conversation’s.', async () => {
  const seen = await each(327, async (org) => {
    const ids = [
      await org.other.send([org.member], '', 'from one'),
      await org.admin.send([org.member], '', 'from another'),
      await org.member.send([org.other], '', 'to the one'),
      await org.other.send([org.member, org.admin], '', 'to two'),
    ]
    const [one, another, back, toTwo] = await Promise.all(
      ids.map(async (id) => (await message(org, id)).recipient_id),
    )
    return [one === another, one === back, one === toTwo]
  })
  expect(seen).toEqual(
    around(327).map((level) => (level < 327 ? [true, false, false] : [false, true, false])),
  )
})

test('LEVEL-10: Before 328, reactions include the user as an object.', async () => {
  const seen = await each(328, async (org) => {
    const id = await org.other.send(org.plaza, 'Levels', 'react')
    succeeded(await org.admin.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    const [reaction] = (await message(org, id)).reactions
    return [reaction.user_id === org.admin.id, reaction.user?.full_name]
  })
  expect(seen).toEqual(around(328).map((level) => [true, level < 328 ? 'Ada Admin' : undefined]))
})

test('LEVEL-11: A move counts as an edit before 365, and has its own timestamp from then on.', async () => {
  const seen = await each(365, async (org) => {
    const id = await org.member.send(org.plaza, 'Here', 'moving')
    succeeded(
      await org.member.patch(`/messages/${id}`, { topic: 'There', send_notification_to_new_thread: false }),
    )
    const moved = await message(org, id)
    await org.clock.advance(60_000)
    succeeded(await org.member.patch(`/messages/${id}`, { content: 'moved and edited' }))
    const isOfEdit = (await message(org, id)).last_edit_timestamp === Math.floor(org.clock.now() / 1000)
    return ['last_edit_timestamp' in moved, 'last_moved_timestamp' in moved, isOfEdit]
  })
  expect(seen).toEqual(around(365).map((level) => [level < 365, level >= 365, true]))
})

test('LEVEL-12: Before 284, the edit history states the version that rendered the earlier content.', async () => {
  const seen = await each(284, async (org) => {
    const id = await org.member.send(org.plaza, 'Here', 'first')
    succeeded(await org.member.patch(`/messages/${id}`, { content: 'second' }))
    succeeded(
      await org.member.patch(`/messages/${id}`, { topic: 'There', send_notification_to_new_thread: false }),
    )
    const [move, edit] = (await message(org, id)).edit_history
    return ['prev_rendered_content_version' in edit, 'prev_rendered_content_version' in move]
  })
  expect(seen).toEqual(around(284).map((level) => [level < 284, false]))
})

test('LEVEL-13: From 193 on, a duplicate reaction has its own error code.', async () => {
  const seen = await each(193, async (org) => {
    const id = await org.other.send(org.plaza, 'Levels', 'twice')
    succeeded(await org.member.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    return (await org.member.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })).body['code']
  })
  expect(seen).toEqual(around(193).map((level) => (level < 193 ? 'BAD_REQUEST' : 'REACTION_ALREADY_EXISTS')))
})

test('LEVEL-14: Muting a channel sends one event before 139, and two from then on.', async () => {
  const seen = await each(139, async (org) => {
    const queue = await org.member.register({ event_types: ['subscription'], fetch_event_types: [] })
    const mute = (value: boolean) =>
      org.member.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: org.plaza, property: 'is_muted', value }],
      })
    succeeded(await mute(true))
    const events = await queue.events()
    succeeded(await mute(false))
    return events.map((event) => event['property'])
  })
  expect(seen).toEqual(
    around(139).map((level) => (level < 139 ? ['in_home_view'] : ['in_home_view', 'is_muted'])),
  )
})

test('LEVEL-15: Before 363, user objects include is_billing_admin.', async () => {
  const seen = await each(
    363,
    async (org) => 'is_billing_admin' in succeeded(await org.member.get(`/users/${org.other.id}`))['user'],
  )
  expect(seen).toEqual(around(363).map((level) => level < 363))
})

test('LEVEL-16: From 315 on, channels state whether they are archived, and lists can exclude archived channels.', async () => {
  const seen = await each(315, async (org) => {
    const body = succeeded(await org.member.get('/streams', { exclude_archived: true }))
    return ['is_archived' in body['streams'][0], (body['ignored_parameters_unsupported'] ?? []).length > 0]
  })
  expect(seen).toEqual(around(315).map((level) => [level >= 315, level >= 167 && level < 315]))
})

test('LEVEL-17: Topics can be followed from 219 on.', async () => {
  const follow = async (org: Organization) => {
    const policy = { stream_id: org.plaza, topic: 'x', visibility_policy: 3 }
    return (await org.member.post('/user_topics', policy)).status
  }
  expect(await each(219, follow)).toEqual([400, 200])
})

const settings: readonly (readonly [level: number, name: string, value: unknown])[] = [
  [82, 'email_notifications_batching_period_seconds', 60],
  [87, 'enable_drafts_synchronization', true],
  [125, 'display_emoji_reaction_users', true],
  [141, 'user_list_style', 1],
  [175, 'web_mark_read_on_scroll_policy', 1],
  [210, 'web_stream_unreads_count_display_policy', 1],
  [219, 'web_escape_navigates_to_home_view', true],
  [245, 'web_font_size_px', 16],
  [245, 'web_line_height_percent', 140],
  [253, 'receives_typing_notifications', true],
  [269, 'web_channel_default_view', 1],
  [275, 'web_animate_image_previews', 'always'],
  [329, 'web_suggest_update_timezone', true],
  [350, 'hide_ai_features', true],
  [398, 'web_left_sidebar_unreads_count_summary', true],
  [411, 'web_left_sidebar_show_channel_folders', true],
]

test.each([...new Set(settings.map(([level]) => level))])(
  'LEVEL-18: A setting is reported and can be changed from its level on, and not before (%i).',
  async (level) => {
    const { member } = await at(level)
    const { state } = await member.register({ fetch_event_types: ['user_settings'] })
    const changes = Object.fromEntries(settings.map(([, name, value]) => [name, value]))
    const answer = succeeded(await member.patch('/settings/display', changes))
    const newer = settings.flatMap(([since, name]) => (since > level ? [name] : []))
    expect(settings.flatMap(([, name]) => (name in state['user_settings'] ? [] : [name]))).toEqual(newer)
    expect(answer['ignored_parameters_unsupported'] ?? []).toEqual(newer)
  },
)

test('LEVEL-19: Before 219, the home view setting has its older name.', async () => {
  const seen = await each(219, async (org) => {
    const { state } = await org.member.register({ fetch_event_types: ['user_settings'] })
    return ['default_view' in state['user_settings'], 'web_home_view' in state['user_settings']]
  })
  expect(seen).toEqual(around(219).map((level) => [level < 219, level >= 219]))
  const org = await at(218)
  succeeded(await org.member.patch('/settings', { default_view: 'all_messages' }))
  const { state } = await org.member.register({ fetch_event_types: ['user_settings'] })
  expect(state['user_settings']['default_view']).toBe('all_messages')
})

test('LEVEL-20: Linkifiers take their addresses in the older form before 176, and playgrounds before 196.', async () => {
  const linked = await each(176, async (org, level) => {
    const add = async (fields: object) => (await org.owner.post('/realm/filters', { ...fields })).status
    const taken = [
      await add({ pattern: `T${level}-(?P<id>[0-9]+)`, url_format_string: 'https://example.com/%(id)s' }),
      await add({ pattern: `U${level}-(?P<id>[0-9]+)`, url_template: 'https://example.com/{id}' }),
    ]
    const id = await org.member.send(org.plaza, 'Levels', `T${level}-17 U${level}-17`)
    return [taken, (await message(org, id)).content.split('href="https://example.com/17"').length - 1]
  })
  expect(linked).toEqual([
    [[200, 400], 1],
    [[400, 200], 1],
  ])
  const played = await each(196, async (org, level) => {
    const add = async (fields: object) => {
      const playground = { name: `Play ${level}`, pygments_language: 'Python', ...fields }
      return (await org.owner.post('/realm/playgrounds', playground)).status
    }
    return [
      await add({ url_prefix: 'https://example.com/?code=' }),
      await add({ url_template: 'https://example.com/?code={code}' }),
    ]
  })
  expect(played).toEqual([
    [200, 400],
    [400, 200],
  ])
})

test('LEVEL-21: From 412 on, a client can request a partial list of subscribers.', async () => {
  const seen = await each(
    412,
    async (org) => (await org.member.post('/register', { include_subscribers: 'partial' })).status,
  )
  expect(seen).toEqual(around(412).map((level) => (level < 412 ? 400 : 200)))
})

test('LEVEL-22: Before 340, deactivated groups can only be renamed; before 391, no members can be added to them.', async () => {
  const seen: unknown[] = []
  for (const level of [339, 340, 390, 391]) {
    const org = await at(level)
    const { lastId } = org.service.workspace.db.run(
      `INSERT INTO user_groups (name, members, creator_id, is_active) VALUES ('retired ${level}', '[]', ?, 0)`,
      org.owner.id,
    )
    const change = (fields: object) => org.owner.patch(`/user_groups/${lastId}`, { ...fields })
    seen.push([
      (await change({ name: `renamed ${level}` })).status,
      (await change({ description: 'was useful' })).status,
      (await org.owner.post(`/user_groups/${lastId}/members`, { add: [org.member.id] })).status,
    ])
  }
  expect(seen).toEqual([
    [200, 400, 400],
    [200, 200, 400],
    [200, 200, 400],
    [200, 200, 200],
  ])
})

test('LEVEL-23: Before 165, every change of a group must include its name and description.', async () => {
  const seen = await each(165, async (org, level) => {
    const { lastId } = org.service.workspace.db.run(
      `INSERT INTO user_groups (name, members, creator_id) VALUES ('old ways ${level}', '[]', ?)`,
      org.owner.id,
    )
    const change = async (fields: object) =>
      (await org.owner.patch(`/user_groups/${lastId}`, { ...fields })).body['code']
    return [
      await change({ name: `older ways ${level}` }),
      await change({ description: 'kept' }),
      await change({ name: `oldest ways ${level}`, description: 'kept as well' }),
    ]
  })
  expect(seen).toEqual([
    ['REQUEST_VARIABLE_MISSING', 'REQUEST_VARIABLE_MISSING', undefined],
    [undefined, undefined, undefined],
  ])
})

test('LEVEL-24: Before 111, the answer repeats a change of the user’s own channel settings.', async () => {
  const seen = await each(111, async (org) => {
    const change = { stream_id: org.plaza, property: 'pin_to_top', value: true }
    return succeeded(
      await org.member.post('/users/me/subscriptions/properties', { subscription_data: [change] }),
    )['subscription_data']
  })
  expect(seen).toEqual([[{ stream_id: org.plaza, property: 'pin_to_top', value: true }], undefined])
})
