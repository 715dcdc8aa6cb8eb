import { expect, test } from 'vitest'
import { serverEvents } from '../../../src-shared/api/events.ts'
import { FailureError } from '../../../src-shared/failure.ts'
import { unusedEvents } from '../../../src-main/sync/appliers/unused.ts'
import { startScriptedServer } from '../../fakes/scripted-server.ts'
import { openSync } from './open-sync.ts'

/** Every event type of the specification and of the servers at its levels. */
const specified = [
  ...['message', 'update_message', 'delete_message', 'update_message_flags', 'reaction', 'submessage'],
  ...['presence', 'user_status', 'typing', 'typing_edit_message'],
  ...['subscription', 'stream', 'user_topic', 'muted_topics', 'default_streams', 'default_stream_groups'],
  ...['channel_folder', 'realm_user', 'realm_bot', 'user_group', 'muted_users', 'custom_profile_fields'],
  ...['user_settings', 'update_display_settings', 'update_global_notifications', 'alert_words'],
  ...['onboarding_steps', 'has_zoom_token', 'push_device'],
  ...['realm', 'realm_emoji', 'realm_linkifiers', 'realm_playgrounds', 'realm_domains'],
  ...['realm_user_settings_defaults', 'realm_export', 'realm_export_consent', 'invites_changed'],
  ...['restart', 'web_reload_client', 'heartbeat'],
  ...['drafts', 'saved_snippets', 'scheduled_messages', 'reminders', 'navigation_view', 'attachment'],
]

test.each(specified)('%s has an applier or a reason why it needs none', (type) => {
  if (Object.hasOwn(serverEvents, type)) return
  expect(unusedEvents[type]).toMatch(/\w+ \w+/)
})

test('nothing is applied or passed over that nobody specified', () => {
  const known = [...Object.keys(serverEvents), ...Object.keys(unusedEvents)]
  expect(known.filter((type) => !specified.includes(type))).toEqual([])
})

test('an event that is passed over on purpose is not reported as unknown', async () => {
  const server = await startScriptedServer()
  const account = openSync(() => server.baseUrl, { email: 'ada@example.org', apiKey: 'k', userId: 1 })
  await account.untilSynced()
  server.push(
    ...Object.keys(unusedEvents).map((type) => ({ type })),
    { type: 'tea_time' },
    { type: 'heartbeat' },
  )
  const listed = () => account.rows('SELECT what FROM set_aside')
  await account.until(() => listed().length > 0)
  expect(listed()).toEqual([{ what: 'unknown:tea_time' }])
  await account.close()
  await server.stop()
})

test('the organization changes while the account listens', async () => {
  const server = await startScriptedServer({
    realm_name: 'Tides',
    realm_icon_url: '/old.png',
    max_message_length: 10_000,
  })
  const account = openSync(() => server.baseUrl, { email: 'ada@example.org', apiKey: 'k', userId: 1 })
  await account.untilSynced()
  const value = (name: string) =>
    account.rows<{ value: string }>('SELECT value FROM organization WHERE name = ?', name)[0]?.value
  expect(value('realm_name')).toBe('"Tides"')
  server.push(
    { type: 'realm', op: 'update', property: 'name', value: 'Ebb and flow' },
    { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url: '/new.png', icon_source: 'U' } },
    { type: 'realm', op: 'update', property: 'send_welcome_emails', value: true },
    { type: 'realm', op: 'deactivated', realm_id: 1 },
    { type: 'realm', op: 'something_new' },
  )
  await account.until(() => account.rows('SELECT 1 FROM sync WHERE last_event_id = 4').length === 1)
  expect(value('realm_icon_url')).toBe('"/new.png"')
  expect(value('realm_name')).toBe('"Ebb and flow"')
  expect(value('realm_send_welcome_emails')).toBe(undefined)
  expect(account.rows('SELECT what FROM set_aside')).toEqual([{ what: 'unknown:realm/something_new' }])
  await account.close()
  await server.stop()
})

test('an event that names very many is applied in parts, and after a restart goes on with the next one', async () => {
  const unread = Array.from({ length: 2_500 }, (_, index) => index + 1)
  const server = await startScriptedServer({
    unread_msgs: { count: 2_500, streams: [{ stream_id: 7, topic: 'flood', unread_message_ids: unread }] },
  })
  // The unread messages stay without their texts.
  server.answer('GET /messages', { error: 'BAD_REQUEST', status: 400 })
  const states: [unread: number, channels: number][] = []
  let refused = 0
  const account = openSync(
    () => server.baseUrl,
    { email: 'ada@example.org', apiKey: 'k', userId: 1 },
    {
      reapply(db, data) {
        if (data !== 'event') return
        const count = (table: string) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0
        states.push([count('unread'), count('channels')])
        if (states.length === refused)
          throw new FailureError({ kind: 'device', code: 'disk-full', message: 'The disk is full.' })
      },
    },
  )
  await account.untilSynced()
  const cursor = () => account.rows<{ n: number }>('SELECT last_event_id AS n FROM sync')[0]?.n
  const before = cursor() ?? 0
  refused = 2
  server.push({ type: 'update_message_flags', op: 'add', flag: 'read', messages: unread })
  await account.untilStill(() => states.length === 2)
  expect(cursor()).toBe(before)
  expect(account.rows('SELECT count(*) AS n FROM unread')).toEqual([{ n: 1_500 }])
  refused = 0
  await account.restart()
  await account.untilStill(() => cursor() === before + 1)
  expect(states.map(([n]) => n)).toEqual([1_500, 500, 500, 0])

  const subscriptions = Array.from({ length: 25 }, (_, index) => ({
    stream_id: 100 + index,
    name: `channel ${index}`,
  }))
  server.push({ type: 'subscription', op: 'add', subscriptions }, { type: 'heartbeat' })
  await account.untilStill(() => cursor() === before + 3)
  expect(states.slice(4).map(([, n]) => n)).toEqual([10, 20, 25, 25])
  await account.close()
  await server.stop()
})
