import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { png, sendFile } from '../../support/files.ts'
import { openApi } from '../../support/openapi.ts'
import { allCapabilities, organization, succeeded, type Answer } from '../../support/organization.ts'
import {
  alwaysReturned,
  channelsWithPeople,
  stateForms,
  subscriptionsWithPeople,
  unreadState,
} from '../../support/state-forms.ts'

// The exact form of the answer to POST /register, by fetch type, held against the table of state-forms.ts.

const org = organization()
const done = async (answer: Promise<Answer>) => succeeded(await answer)

/** Something of everything, so that no list is empty. */
beforeAll(async () => {
  const { owner, member, other, admin, plaza } = org
  const at = { scheduled_delivery_timestamp: Math.floor(org.clock.now() / 1000) + 3600 }
  const id = await other.send(plaza, 'State', `@**${member.name}** hello`)
  await other.send([member], '', 'hello')
  await other.send([member, owner], '', 'hello')
  await done(member.post('/users/me/alert_words', { alert_words: ['otter'] }))
  await done(
    owner.post('/realm/profile_fields', { field_type: 1, name: 'Short', display_in_profile_summary: true }),
  )
  await done(member.post('/saved_snippets', { title: 't', content: 'c' }))
  await done(member.post('/navigation_views', { fragment: 'inbox', is_pinned: true }))
  await done(member.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'x' }] }))
  await done(
    member.post('/scheduled_messages', { type: 'channel', to: plaza, topic: 'S', content: 'x', ...at }),
  )
  await done(member.post('/scheduled_messages', { type: 'direct', to: [other.id], content: 'x', ...at }))
  await done(member.post('/reminders', { message_id: id, ...at }))
  await done(member.post('/user_topics', { stream_id: plaza, topic: 'Quiet', visibility_policy: 1 }))
  await done(member.post(`/users/me/muted_users/${org.moderator.id}`))
  await done(other.post('/users/me/presence', { status: 'active' }))
  await done(other.post('/users/me/status', { status_text: 'out', emoji_name: 'car', away: true }))
  await done(member.post('/messages/flags', { op: 'add', flag: 'starred', messages: [id] }))
  const filter = { pattern: 'S(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
  await done(owner.post('/realm/filters', filter))
  const playground = { name: 'P', pygments_language: 'Python', url_template: 'https://example.com/{code}' }
  await done(owner.post('/realm/playgrounds', playground))
  await done(owner.post('/realm/domains', { domain: 'example.org', allow_subdomains: true }))
  const offer = { group_name: 'g', description: 'd', stream_names: ['plaza'] }
  await done(owner.post('/default_stream_groups/create', offer))
  await done(owner.post('/channel_folders/create', { name: 'F', description: '' }))
  succeeded(await sendFile(org.service, owner, '/realm/emoji/formed', ['e.png', png, 'image/png']))
  await done(owner.post('/channels/create', { name: 'elsewhere', subscribers: [owner.id] }))
  await done(member.delete('/users/me/subscriptions', { subscriptions: ['lobby'] }))
  for (const gone of [org.join('Gone Gitta'), org.joinBot('Gone Bot', admin)])
    await done(owner.delete(gone.name.includes('Bot') ? `/bots/${gone.id}` : `/users/${gone.id}`))
})

const issuesOf = (form: z.ZodRawShape, state: Answer['body']) =>
  z.strictObject({ ...alwaysReturned, ...form }).safeParse(state).error?.issues ?? []

test('INIT-01: Each fetch type returns exactly its keys to a client with all capabilities.', async () => {
  for (const [type, { today }] of Object.entries(stateForms)) {
    const { state } = await org.member.register({
      fetch_event_types: [type],
      event_types: [],
      client_capabilities: allCapabilities,
    })
    expect(issuesOf(today, state), type).toEqual([])
  }
})

test('INIT-02: A client that declares no capabilities gets the older forms, with exactly their keys.', async () => {
  for (const [type, { today, former = today }] of Object.entries(stateForms)) {
    const { state } = await org.member.register({ fetch_event_types: [type], event_types: [] })
    expect(issuesOf(former, state), type).toEqual([])
  }
})

test('INIT-03: Unread messages are returned to clients that fetch messages and their flags.', async () => {
  const fetch_event_types = ['message', 'update_message_flags']
  const { state } = await org.member.register({ fetch_event_types, event_types: [] })
  expect(issuesOf({ ...stateForms['message']?.today, ...unreadState }, state)).toEqual([])
  expect(state.unread_msgs).toMatchObject({
    pms: [{}],
    huddles: [{}],
    streams: [{}],
    mentions: [expect.any(Number)],
  })
})

test('INIT-04: With include_subscribers, every channel lists its subscribers.', async () => {
  const { state } = await org.member.register({
    fetch_event_types: ['subscription'],
    include_subscribers: 'true',
    client_capabilities: allCapabilities,
  })
  const form = {
    subscriptions: subscriptionsWithPeople,
    unsubscribed: subscriptionsWithPeople,
    never_subscribed: channelsWithPeople,
  }
  expect(issuesOf(form, state)).toEqual([])
})

test('INIT-05: Fetching everything returns exactly what all types return together, and muted_topics is left out when user_topic is fetched.', async () => {
  const { state } = await org.member.register({ client_capabilities: allCapabilities })
  const all = Object.assign({}, ...Object.values(stateForms).map(({ today }) => today))
  expect(issuesOf({ ...all, ...unreadState }, state)).toEqual([])
  const both = await org.member.register({ fetch_event_types: ['muted_topics', 'user_topic'] })
  expect(both.state).not.toHaveProperty('muted_topics')
})

test('INIT-06: The names of all Unicode emoji can be fetched from the address in the state.', async () => {
  const { state } = await org.member.register({ fetch_event_types: ['realm'] })
  const names = await (await fetch(new URL(state.server_emoji_data_url, org.service.baseUrl))).json()
  expect(names.code_to_names['1f389'][0]).toBe('tada')
  expect(Object.keys(names)).toEqual(['code_to_names'])
})

test('INIT-07: Older policies in the state express a permission as a number, according to the group that holds it.', async () => {
  const policies = async () => {
    const { state } = await org.member.register({ fetch_event_types: ['realm'] })
    return [state.realm_create_public_stream_policy, state.realm_wildcard_mention_policy]
  }
  expect(await policies()).toEqual([1, 5])
  const { user_groups } = await done(org.owner.get('/user_groups'))
  const idOf = (name: string) => user_groups.find((one: { name: string }) => one.name === name).id
  const give = (group: unknown) =>
    done(
      org.owner.patch('/realm', {
        can_create_public_channel_group: { new: group },
        can_mention_many_users_group: { new: group },
      }),
    )
  await give(idOf('role:moderators'))
  expect(await policies()).toEqual([4, 7])
  // Who holds it cannot be said with a number: nobody is told that they may not.
  await give({ direct_members: [org.other.id], direct_subgroups: [] })
  expect(await policies()).toEqual([1, 1])
})

/** Where the answer differs from that description on purpose. */
const differences: readonly (readonly [difference: RegExp, because: string])[] = [
  [/"(service|zulip)_(feature_level|version|merge_base)"/, 'the names of the specification'],
  [/"realm_(topics_policy|can_set_\w+_group|require_e2ee_push_notifications)"/, 'levels 392, 407 and 409'],
  [/"realm_welcome_message_custom_text"/, 'level 416'],
  [/"(channel_folders|reminders|navigation_views|push_devices)"/, 'levels 389, 399, 390 and 406'],
  [/"max_(channel_folder_\w+|reminder_note_length|bulk_new_subscription_messages)"/, '397 to 415'],
  [/"web_left_sidebar_\w+"|"resolved_topic_notice_auto_read_policy"/, 'levels 385, 398 and 411'],
  [/"(topics_policy|folder_id|subscriber_count)"/, 'levels 392, 389 and 394'],
  [/"can_(delete_(any|own)_message|move_messages_\w+|resolve_topics)_group"/, '396 to 407'],
  [/^\/jitsi_server_url must be string/, 'null where there is no server for calls'],
  [/^\/ignored_parameters_unsupported$/, 'nothing was ignored'],
  [/^\/demo_organization_scheduled_deletion_date$/, 'for organizations that end by themselves'],
  [/^\/receives_typing_notifications$/, 'newer than settings as keys of the answer'],
  [/^\/realm_authentication_methods\/\*\/unavailable_reason$/, 'what there is is available'],
  [/^\/realm_non_active_users\/\*\/is_active$/, 'that they are gone is said by the list'],
  [/can_create_topics_group$/, 'a setting of that variant alone'],
]

const described = openApi()
test.skipIf(described === null)(
  'INIT-08: The whole response conforms to an independent description of the interface.',
  async () => {
    const states = [
      await org.member.register({ client_capabilities: allCapabilities, include_subscribers: 'true' }),
      await org.member.register({ client_capabilities: allCapabilities, include_subscribers: 'partial' }),
      await org.member.register(),
    ].map(({ state }) => state)
    const faults = states.flatMap((state) => described?.answerFaults('POST', '/register', state) ?? [])
    const all = new Set([...faults, ...(described?.missingInAnswers('POST', '/register', states) ?? [])])
    expect([...all].filter((one) => !differences.some(([pattern]) => pattern.test(one)))).toEqual([])
    expect(differences.filter(([pattern]) => ![...all].some((one) => pattern.test(one)))).toEqual([])
  },
)
