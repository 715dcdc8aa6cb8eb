import { afterAll, expect, test } from 'vitest'
import { levelChanges } from '../../../src-server/feature-levels.ts'
import { found, refused, succeeded, type Organization } from '../../support/organization.ts'

// The service behaves as an older level where it is asked to (specification, Versioning and every "since" of it).

const levels = [1, 77, 87, 120, 167, 218, 256, 334, 372, 390, 420]
const made = new Map<number, Promise<Organization>>()
const at = (level: number): Promise<Organization> => {
  const known = made.get(level) ?? found({ featureLevel: level })
  made.set(level, known)
  return known
}
afterAll(async () => {
  for (const org of made.values()) await (await org).service.close()
})

/** What is observed at each of the levels, in their order. */
const each = async <T>(look: (org: Organization, level: number) => Promise<T>): Promise<T[]> => {
  const seen: T[] = []
  for (const level of levels) seen.push(await look(await at(level), level))
  return seen
}
/** False below a level, true from it on. */
const since = (level: number) => levels.map((one) => one >= level)
const message = async (org: Organization, id: number) =>
  succeeded(await org.member.get('/messages', { message_ids: [id] }))['messages'][0]

test('LEVEL-01: The level is reported by the server settings and by registering.', async () => {
  const reported = await each(async (org) => [
    succeeded(await org.nobody.get('/server_settings'))['service_feature_level'],
    (await org.member.register({ fetch_event_types: [] })).state['service_feature_level'],
  ])
  expect(reported).toEqual(levels.map((level) => [level, level]))
})

test('LEVEL-02: Fields of the server settings come with their levels.', async () => {
  const has = (name: string) =>
    each(async (org) => name in succeeded(await org.nobody.get('/server_settings')))
  expect(await has('service_merge_base')).toEqual(since(88))
  expect(await has('realm_web_public_access_enabled')).toEqual(since(116))
  expect(await has('realm_url')).toEqual(since(257))
  expect(await has('realm_uri')).toEqual(since(0))
})

test('LEVEL-03: Unknown parameters are listed from 167 on; for settings from 78 on, for subscriptions from 111 on.', async () => {
  const lists = (call: (org: Organization) => ReturnType<Organization['member']['get']>) =>
    each(async (org) => 'ignored_parameters_unsupported' in succeeded(await call(org)))
  expect(await lists((org) => org.member.get('/users/me', { x: 1 }))).toEqual(since(167))
  expect(
    await lists((org) =>
      org.member.post('/users/me/subscriptions/properties', { subscription_data: [], x: 1 }),
    ),
  ).toEqual(since(111))
  const settings: boolean[] = []
  for (const level of [80, 100, 167]) {
    const org = await at(level)
    settings.push(
      'ignored_parameters_unsupported' in succeeded(await org.member.patch('/settings', { x: 1 })),
    )
  }
  expect(settings).toEqual([true, true, true])
})

test('LEVEL-04: Endpoints are there from their level on.', async () => {
  const is = (call: (org: Organization) => ReturnType<Organization['member']['get']>) =>
    each(async (org) => ![404, 405].includes((await call(org)).status))
  expect(await is((org) => org.member.patch('/settings'))).toEqual(since(80))
  expect(await is((org) => org.member.get('/drafts'))).toEqual(since(87))
  expect(
    await is((org) =>
      org.member.post('/user_topics', { stream_id: org.plaza, topic: 'x', visibility_policy: 1 }),
    ),
  ).toEqual(since(170))
  expect(await is((org) => org.owner.post('/realm/playgrounds'))).toEqual(since(49))
  expect(await is((org) => org.owner.patch('/realm/filters/1'))).toEqual(since(57))
  expect(await is((org) => org.owner.post('/channels/create'))).toEqual(since(417))
  const snippet = await each(async (org) => (await org.member.patch('/saved_snippets/1')).status)
  expect(snippet.map((status) => status !== 405)).toEqual(since(368))
})

test('LEVEL-05: GET /messages/{id} gives the message itself, and HTML or Markdown, from 120 on.', async () => {
  const seen = await each(async (org) => {
    const id = await org.other.send(org.plaza, 'Levels', '*one*')
    const body = succeeded(await org.member.get(`/messages/${id}`, { apply_markdown: false }))
    return [body['raw_content'], body['message']?.content]
  })
  expect(seen).toEqual(levels.map((level) => ['*one*', level < 120 ? undefined : '*one*']))
})

test('LEVEL-06: The empty topic is (no topic) before 334, and a topic of its own from then on.', async () => {
  const seen = await each(async (org) => {
    const { state } = await org.member.register({
      event_types: ['message', 'realm'],
      client_capabilities: { empty_topic_name: true },
    })
    const id = await org.other.send(org.plaza, '', 'nameless')
    const shown = succeeded(
      await org.member.get('/messages', { message_ids: [id], allow_empty_topic_name: true }),
    )
    return [shown['messages'][0].subject, state['realm_empty_topic_display_name']]
  })
  expect(seen).toEqual(
    levels.map((level) => (level < 334 ? ['(no topic)', undefined] : ['', 'general chat'])),
  )
})

test('LEVEL-07: Wildcard mentions are one flag before 224, and flags of their own beside it from then on.', async () => {
  const seen = await each(async (org) => {
    const queue = await org.member.register({ event_types: ['message'], fetch_event_types: [] })
    const id = await org.other.send(org.plaza, 'Levels', '@**all**')
    return [(await message(org, id)).flags, (await queue.events())[0]?.['flags']]
  })
  const flags = (level: number) =>
    level < 224 ? ['wildcard_mentioned'] : ['stream_wildcard_mentioned', 'wildcard_mentioned']
  expect(seen).toEqual(levels.map((level) => [flags(level), flags(level)]))
})

test('LEVEL-08: Links of a topic are addresses before 46, and have texts from then on.', async () => {
  const seen = await each(async (org) => {
    const id = await org.other.send(org.plaza, 'https://example.com/x', 'links')
    const { topic_links: links } = await message(org, id)
    return typeof links[0]
  })
  expect(seen).toEqual(levels.map((level) => (level < 46 ? 'string' : 'object')))
})

test('LEVEL-09: Before 327 what others sent was addressed to the reader; from then on a conversation has one address.', async () => {
  const seen = await each(async (org) => {
    const ids = [
      await org.other.send([org.member], '', 'from one'),
      await org.admin.send([org.member], '', 'from another'),
      await org.member.send([org.other], '', 'to the one'),
    ]
    const [one, another, back] = await Promise.all(
      ids.map(async (id) => (await message(org, id)).recipient_id),
    )
    return [one === another, one === back]
  })
  expect(seen).toEqual(levels.map((level) => (level < 327 ? [true, false] : [false, true])))
})

test('LEVEL-10: Reactions name the person as an object before 328.', async () => {
  const seen = await each(async (org) => {
    const id = await org.other.send(org.plaza, 'Levels', 'react')
    succeeded(await org.admin.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    const [reaction] = (await message(org, id)).reactions
    return [reaction.user_id === org.admin.id, reaction.user?.full_name]
  })
  expect(seen).toEqual(levels.map((level) => [true, level < 328 ? 'Ada Admin' : undefined]))
})

test('LEVEL-11: A move is an edit before 365, and has a time of its own from then on.', async () => {
  const seen = await each(async (org) => {
    const id = await org.member.send(org.plaza, 'Here', 'moving')
    succeeded(
      await org.member.patch(`/messages/${id}`, { topic: 'There', send_notification_to_new_thread: false }),
    )
    const moved = await message(org, id)
    return ['last_edit_timestamp' in moved, 'last_moved_timestamp' in moved]
  })
  expect(seen).toEqual(levels.map((level) => [level < 365, level >= 365]))
})

test('LEVEL-12: A history says which version rendered the older words before 284.', async () => {
  const seen = await each(async (org) => {
    const id = await org.member.send(org.plaza, 'Here', 'first')
    succeeded(await org.member.patch(`/messages/${id}`, { content: 'second' }))
    return 'prev_rendered_content_version' in (await message(org, id)).edit_history[0]
  })
  expect(seen).toEqual(levels.map((level) => level < 284))
})

test('LEVEL-13: The same reaction twice has a code of its own from 193 on.', async () => {
  const seen = await each(async (org) => {
    const id = await org.other.send(org.plaza, 'Levels', 'twice')
    succeeded(await org.member.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    return (await org.member.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })).body['code']
  })
  expect(seen).toEqual(levels.map((level) => (level < 193 ? 'BAD_REQUEST' : 'REACTION_ALREADY_EXISTS')))
})

test('LEVEL-14: Muting a channel is one event before 139, and two from then on.', async () => {
  const seen = await each(async (org) => {
    const queue = await org.member.register({ event_types: ['subscription'], fetch_event_types: [] })
    const change = { stream_id: org.plaza, property: 'is_muted', value: true }
    succeeded(await org.member.post('/users/me/subscriptions/properties', { subscription_data: [change] }))
    return (await queue.events()).map((event) => event['property'])
  })
  expect(seen).toEqual(levels.map((level) => (level < 139 ? ['in_home_view'] : ['in_home_view', 'is_muted'])))
})

test('LEVEL-15: People say whether they pay before 363.', async () => {
  const seen = await each(
    async (org) => 'is_billing_admin' in succeeded(await org.member.get(`/users/${org.other.id}`))['user'],
  )
  expect(seen).toEqual(levels.map((level) => level < 363))
})

test('LEVEL-16: Channels say whether they are archived, and lists can be asked for it, from 315 on.', async () => {
  const seen = await each(async (org) => {
    const body = succeeded(await org.member.get('/streams', { exclude_archived: true }))
    return ['is_archived' in body['streams'][0], (body['ignored_parameters_unsupported'] ?? []).length > 0]
  })
  expect(seen).toEqual(levels.map((level) => [level >= 315, level >= 167 && level < 315]))
})

test('LEVEL-17: Topics can be followed from 219 on.', async () => {
  const seen: number[] = []
  for (const level of levels.filter((one) => one >= 170)) {
    const org = await at(level)
    const policy = { stream_id: org.plaza, topic: 'x', visibility_policy: 3 }
    seen.push((await org.member.post('/user_topics', policy)).status)
  }
  expect(seen).toEqual(levels.filter((one) => one >= 170).map((level) => (level < 219 ? 400 : 200)))
})

test('LEVEL-18: Settings are known, reported and changed from their level on.', async () => {
  const changes = levelChanges.flatMap((change) =>
    change.kind === 'fields' && change.of === 'settings'
      ? change.names.map((name) => [name, change.level] as const)
      : [],
  )
  expect(changes.length).toBeGreaterThan(10)
  for (const level of levels) {
    const org = await at(level)
    const { state } = await org.member.register({ fetch_event_types: ['user_settings'] })
    for (const [name, from] of changes)
      expect([level, name, name in state['user_settings']]).toEqual([level, name, level >= from])
    if (level < 167) continue
    const answer = succeeded(await org.member.patch('/settings', { hide_ai_features: true }))
    expect('ignored_parameters_unsupported' in answer).toBe(level < 350)
  }
})

test('LEVEL-19: The view of the beginning has its older name before 219.', async () => {
  const seen = await each(async (org) => {
    const { state } = await org.member.register({ fetch_event_types: ['user_settings'] })
    return ['default_view' in state['user_settings'], 'web_home_view' in state['user_settings']]
  })
  expect(seen).toEqual(levels.map((level) => [level < 219, level >= 219]))
  const org = await at(167)
  succeeded(await org.member.patch('/settings', { default_view: 'all_messages' }))
  const { state } = await org.member.register({ fetch_event_types: ['user_settings'] })
  expect(state['user_settings']['default_view']).toBe('all_messages')
})

test('LEVEL-20: Linkifiers and playgrounds take their addresses in the older form before 176 and 196.', async () => {
  const old = await at(167)
  succeeded(
    await old.owner.post('/realm/filters', {
      pattern: 'T(?P<id>[0-9]+)',
      url_format_string: 'https://example.com/%(id)s',
    }),
  )
  refused(
    await old.owner.post('/realm/filters', {
      pattern: 'U(?P<id>[0-9]+)',
      url_template: 'https://example.com/{id}',
    }),
    'REQUEST_VARIABLE_MISSING',
  )
  const id = await old.member.send(old.plaza, 'Levels', 'see T17')
  expect((await message(old, id)).content).toContain('href="https://example.com/17"')
  succeeded(
    await old.owner.post('/realm/playgrounds', {
      name: 'Play',
      pygments_language: 'Python',
      url_prefix: 'https://example.com/?code=',
    }),
  )
})

test('LEVEL-21: Some subscribers of large channels can be asked for from 412 on.', async () => {
  const seen = await each(
    async (org) => (await org.member.post('/register', { include_subscribers: 'partial' })).status,
  )
  expect(seen).toEqual(levels.map((level) => (level < 412 ? 400 : 200)))
})

test('LEVEL-22: Deactivated groups can only be renamed before 340, and have no new members before 391.', async () => {
  const seen: unknown[] = []
  for (const level of [334, 372, 390, 420]) {
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

test('LEVEL-23: A group had to be named and described before 165, and is mentioned by whom one id says before 258.', async () => {
  const org = await at(120)
  const { lastId } = org.service.workspace.db.run(
    `INSERT INTO user_groups (name, members, creator_id) VALUES ('old ways', '[]', ?)`,
    org.owner.id,
  )
  refused(await org.owner.patch(`/user_groups/${lastId}`, { name: 'older ways' }), 'REQUEST_VARIABLE_MISSING')
  const everyone = org.service.workspace.db.get<{ group_id: number }>(
    `SELECT group_id FROM user_groups WHERE name = 'role:moderators'`,
  )
  succeeded(
    await org.owner.patch(`/user_groups/${lastId}`, {
      name: 'older ways',
      description: 'kept',
      can_mention_group_id: everyone?.group_id,
    }),
  )
})

test('LEVEL-24: Older levels answer a change of settings by repeating it, without passwords.', async () => {
  const org = await at(110)
  const change = { stream_id: org.plaza, property: 'pin_to_top', value: true }
  const answer = succeeded(
    await org.member.post('/users/me/subscriptions/properties', { subscription_data: [change] }),
  )
  expect(answer['subscription_data']).toEqual([change])
})
