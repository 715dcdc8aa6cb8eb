import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const settingsOf = async (person: Person) =>
  (await person.register({ fetch_event_types: ['user_settings'] })).state.user_settings
const change = async (fields: Record<string, unknown>) => org.member.patch('/settings', fields)
const login = (username: string, password: string) =>
  org.nobody.post('/fetch_api_key', { username, password })
const linkIn = (text: string | undefined) => /\S+\/confirm-email\/\S+/.exec(text ?? '')?.[0] ?? ''

/** Sets each value and sees it come back; then sees that each other value is refused and changes nothing. */
async function takes(name: string, good: readonly unknown[], bad: readonly unknown[]): Promise<void> {
  for (const value of good) {
    succeeded(await change({ [name]: value }))
    expect({ [name]: (await settingsOf(org.member))[name] }).toEqual({ [name]: value })
  }
  for (const value of bad) refused(await change({ [name]: value }))
  expect({ [name]: (await settingsOf(org.member))[name] }).toEqual({ [name]: good.at(-1) })
}

const flags = [
  'twenty_four_hour_time',
  'starred_message_counts',
  'receives_typing_notifications',
  'web_suggest_update_timezone',
  'fluid_layout_width',
  'high_contrast_mode',
  'enable_drafts_synchronization',
  'translate_emoticons',
  'display_emoji_reaction_users',
  'web_escape_navigates_to_home_view',
  'left_side_userlist',
  'hide_ai_features',
  'web_left_sidebar_show_channel_folders',
  'web_left_sidebar_unreads_count_summary',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'enable_stream_audible_notifications',
  'enable_desktop_notifications',
  'enable_sounds',
  'enable_offline_email_notifications',
]
const furtherFlags = [
  'enter_sends',
  'web_navigate_to_sent_message',
  'wildcard_mentions_notify',
  'enable_followed_topic_desktop_notifications',
  'enable_followed_topic_email_notifications',
  'enable_followed_topic_push_notifications',
  'enable_followed_topic_audible_notifications',
  'enable_followed_topic_wildcard_mentions_notify',
  'pm_content_in_desktop_notifications',
  'message_content_in_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'presence_enabled',
  'automatically_follow_topics_where_mentioned',
  'send_stream_typing_notifications',
  'send_private_typing_notifications',
  'send_read_receipts',
  'allow_private_data_export',
]

test('SET-01: Every parameter is optional: an empty edit succeeds and changes nothing.', async () => {
  const before = await settingsOf(org.member)
  const answer = succeeded(await change({}))
  expect(Object.keys(answer).sort()).toEqual(['msg', 'result'])
  expect(await settingsOf(org.member)).toEqual(before)
})

test('SET-02: Each setting that is specified as boolean accepts only true and false.', async () => {
  for (const name of flags) await takes(name, [true, false, true], ['yes', '1', 'null'])
})

test('SET-03: Each further boolean setting accepts only true and false.', async () => {
  for (const name of furtherFlags) await takes(name, [false, true], ['no', '0'])
})

test('SET-04: web_mark_read_on_scroll_policy is one of 1, 2, 3.', () =>
  takes('web_mark_read_on_scroll_policy', [1, 2, 3], [0, 4, 'always', 1.5]))
test('SET-05: web_channel_default_view is one of 1, 2, 3, 4.', () =>
  takes('web_channel_default_view', [1, 2, 3, 4], [0, 5, 'feed']))
test('SET-06: color_scheme is one of 1, 2, 3.', () => takes('color_scheme', [1, 2, 3], [0, 4, 'dark']))
test('SET-07: demote_inactive_streams is one of 1, 2, 3.', () =>
  takes('demote_inactive_streams', [1, 2, 3], [0, 4, true]))
test('SET-08: user_list_style is one of 1, 2, 3.', () => takes('user_list_style', [1, 2, 3], [0, 4, 'x']))
test('SET-09: web_stream_unreads_count_display_policy is one of 1, 2, 3.', () =>
  takes('web_stream_unreads_count_display_policy', [1, 2, 3], [0, 4, 'x']))
test('SET-10: web_home_view is recent_topics, inbox or all_messages.', () =>
  takes('web_home_view', ['recent_topics', 'inbox', 'all_messages'], ['home', '', '1']))
test('SET-11: emojiset is google, twitter or text.', () =>
  takes('emojiset', ['google', 'twitter', 'text'], ['acme', '']))
test('SET-12: web_animate_image_previews is always, on_hover or never.', () =>
  takes('web_animate_image_previews', ['always', 'on_hover', 'never'], ['sometimes', '']))
test('SET-13: web_font_size_px and web_line_height_percent are whole numbers above zero.', async () => {
  await takes('web_font_size_px', [12, 20], [0, -1, 14.5, 'large'])
  await takes('web_line_height_percent', [120, 150], [0, -1, 1.2, 'wide'])
})
test('SET-14: email_notifications_batching_period_seconds is between one second and one week.', () =>
  takes('email_notifications_batching_period_seconds', [1, 604_800], [0, 604_801, 'now']))
test('SET-15: default_language is a language code that the server supports.', () =>
  takes('default_language', ['de', 'en'], ['xx', 'Deutsch', '']))
test('SET-16: timezone is an IANA identifier, and appears in the profile.', async () => {
  await takes('timezone', ['Europe/Berlin', 'Asia/Kathmandu'], ['Berlin', '+02:00', 'Mars/Olympus'])
  expect(succeeded(await org.other.get(`/users/${org.member.id}`)).user.timezone).toBe('Asia/Kathmandu')
})
test('SET-17: notification_sound is one of the server’s sounds or none.', async () => {
  const sounds: string[] = (await settingsOf(org.member)).available_notification_sounds
  expect(sounds.length).toBeGreaterThan(0)
  await takes('notification_sound', [...sounds, 'none'], ['trumpet', ''])
})
test('SET-18: Numeric policies accept only their own values.', async () => {
  await takes('desktop_icon_count_display', [1, 2, 3, 4], [0, 5])
  await takes('realm_name_in_email_notifications_policy', [1, 2, 3], [0, 4])
  await takes('automatically_follow_topics_policy', [1, 2, 3, 4], [0, 5])
  await takes('automatically_unmute_topics_in_muted_streams_policy', [1, 2, 3, 4], [0, 5])
  await takes('email_address_visibility', [5, 4, 3, 2, 1], [0, 6])
})
test('SET-19: resolved_topic_notice_auto_read_policy is always, except_followed or never.', () =>
  takes('resolved_topic_notice_auto_read_policy', ['always', 'except_followed', 'never'], ['maybe']))

test('SET-20: Unsupported parameters are listed, dense_mode among them, and the others are applied.', async () => {
  const answer = succeeded(await change({ dense_mode: true, wallpaper: 'reeds', color_scheme: 2 }))
  expect(answer.ignored_parameters_unsupported).toEqual(['dense_mode', 'wallpaper'])
  expect(answer).not.toHaveProperty('color_scheme')
  expect((await settingsOf(org.member)).color_scheme).toBe(2)
})

test('SET-21: PATCH /settings/display and PATCH /settings/notifications do the same as PATCH /settings.', async () => {
  for (const path of ['/settings/display', '/settings/notifications']) {
    succeeded(await org.member.patch(path, { color_scheme: 1, enable_sounds: false, full_name: 'Mara M.' }))
    expect(await settingsOf(org.member)).toMatchObject({ color_scheme: 1, enable_sounds: false })
    succeeded(await change({ color_scheme: 3, enable_sounds: true, full_name: 'Mara Member' }))
    expect(await settingsOf(org.member)).toMatchObject({ color_scheme: 3, enable_sounds: true })
  }
})

test('SET-22: If one value is invalid, nothing in the request is applied.', async () => {
  succeeded(await change({ color_scheme: 1 }))
  refused(await change({ color_scheme: 2, timezone: 'Mars/Olympus' }))
  refused(await change({ color_scheme: 2, new_password: 'another one', old_password: 'wrong' }))
  refused(await change({ color_scheme: 2, full_name: '  ' }))
  expect((await settingsOf(org.member)).color_scheme).toBe(1)
})

test('SET-23: A new password requires the old one.', async () => {
  const person = org.join('Paula Password')
  refused(await person.patch('/settings', { new_password: 'brand new words' }))
  refused(await person.patch('/settings', { new_password: 'brand new words', old_password: 'a guess' }))
  succeeded(await login(person.email, 'correct horse battery'))
  const fields = { new_password: 'brand new words', old_password: 'correct horse battery' }
  succeeded(await person.patch('/settings', fields))
  succeeded(await login(person.email, 'brand new words'))
  refused(await login(person.email, 'correct horse battery'), 'AUTHENTICATION_FAILED', 401)
})

test('SET-24: A weak password is rejected.', async () => {
  const person = org.join('Wanda Weak')
  refused(await person.patch('/settings', { new_password: 'abc', old_password: 'correct horse battery' }))
  succeeded(await login(person.email, 'correct horse battery'))
})

test('SET-25: Guessing the old password is blocked after five attempts.', async () => {
  const person = org.join('Greta Guess')
  for (let tries = 0; tries < 5; tries++) {
    refused(await person.patch('/settings', { new_password: 'brand new words', old_password: 'guess' }))
  }
  const fields = { new_password: 'brand new words', old_password: 'correct horse battery' }
  refused(await person.patch('/settings', fields), 'RATE_LIMIT_HIT', 429)
})

test('SET-26: full_name changes the display name, trimmed, and other users get an event.', async () => {
  const person = org.join('Nora Name')
  const queue = await org.other.register({ event_types: ['realm_user'] })
  succeeded(await person.patch('/settings', { full_name: '  Nora Newname ' }))
  expect(succeeded(await org.other.get(`/users/${person.id}`)).user.full_name).toBe('Nora Newname')
  expect(await queue.events()).toMatchObject([
    { type: 'realm_user', op: 'update', person: { user_id: person.id, full_name: 'Nora Newname' } },
  ])
})

test('SET-27: A name that is empty, too long or would break mentions is rejected.', async () => {
  for (const full_name of [
    '',
    ' ',
    'x'.repeat(101),
    'a*b',
    'a@b',
    'a`b',
    'a>b',
    'a"b',
    'a\\b',
    'a|12',
    'a\u0000b',
  ]) {
    refused(await change({ full_name }))
  }
  succeeded(await change({ full_name: 'ü'.repeat(100) }))
  succeeded(await change({ full_name: 'Mara Member' }))
})

test('SET-28: A new address only starts a confirmation; it takes effect once the link in the email is followed.', async () => {
  const person = org.join('Ella Email')
  succeeded(await person.patch('/settings', { email: 'ella.new@example.org' }))
  expect(succeeded(await person.get('/users/me')).delivery_email).toBe(person.email)
  const mail = org.service.mails.at(-1)
  expect(mail?.to).toBe('ella.new@example.org')
  const queue = await org.other.register({ event_types: ['realm_user'] })
  expect((await fetch(linkIn(mail?.text))).status).toBe(200)
  expect(succeeded(await person.get('/users/me')).delivery_email).toBe('ella.new@example.org')
  expect(await queue.events()).toMatchObject([
    { op: 'update', person: { user_id: person.id, delivery_email: 'ella.new@example.org' } },
  ])
  succeeded(await login('ella.new@example.org', 'correct horse battery'))
})

test('SET-29: A confirmation link works once, for a day, and only the newest one works.', async () => {
  const person = org.join('Lena Link')
  succeeded(await person.patch('/settings', { email: 'lena.one@example.org' }))
  const first = linkIn(org.service.mails.at(-1)?.text)
  succeeded(await person.patch('/settings', { email: 'lena.two@example.org' }))
  const second = linkIn(org.service.mails.at(-1)?.text)
  expect((await fetch(first)).status).toBe(404)
  expect((await fetch(second)).status).toBe(200)
  expect((await fetch(second)).status).toBe(404)
  succeeded(await person.patch('/settings', { email: 'lena.three@example.org' }))
  await org.clock.advance(25 * 60 * 60 * 1000)
  expect((await fetch(linkIn(org.service.mails.at(-1)?.text))).status).toBe(404)
  expect(succeeded(await person.get('/users/me')).delivery_email).toBe('lena.two@example.org')
})

test('SET-30: An invalid address and another user’s address are rejected, and no email is sent.', async () => {
  const sent = org.service.mails.length
  for (const email of [
    'nothing',
    'a@b',
    'a b@example.org',
    'a@example.org\nBcc: b@example.org',
    org.other.email,
  ]) {
    refused(await change({ email }))
  }
  succeeded(await change({ email: org.member.email }))
  expect(org.service.mails.length).toBe(sent)
})

test('SET-31: Turning off draft synchronization deletes the drafts on the server and sends no event for it.', async () => {
  succeeded(await change({ enable_drafts_synchronization: true }))
  const draft = { type: '', to: [], topic: '', content: 'Half a thought' }
  succeeded(await org.member.post('/drafts', { drafts: [draft] }))
  const queue = await org.member.register({ event_types: ['drafts', 'user_settings'] })
  succeeded(await change({ enable_drafts_synchronization: false }))
  expect(await queue.events()).toMatchObject([
    { type: 'user_settings', property: 'enable_drafts_synchronization', value: false },
  ])
  refused(await org.member.get('/drafts'))
  succeeded(await change({ enable_drafts_synchronization: true }))
  expect(succeeded(await org.member.get('/drafts')).drafts).toEqual([])
})

test('SET-32: A changed setting is a user_settings event in all queues of the user and in no others.', async () => {
  succeeded(await change({ web_font_size_px: 16, default_language: 'en' }))
  const types = { event_types: ['user_settings'] }
  const queues = [await org.member.register(types), await org.member.register(types)]
  const others = await org.other.register(types)
  succeeded(await change({ web_font_size_px: 18, default_language: 'de' }))
  const events = (await queues[0]?.events()) ?? []
  expect(events).toHaveLength(2)
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'user_settings', op: 'update', property: 'web_font_size_px', value: 18 }),
  )
  expect(events).toContainEqual(
    expect.objectContaining({ property: 'default_language', value: 'de', language_name: 'Deutsch' }),
  )
  expect(await queues[1]?.events()).toEqual(events)
  expect(await others.events()).toEqual([])
})

test('SET-33: Setting a value that is unchanged sends no event.', async () => {
  succeeded(await change({ color_scheme: 2 }))
  const queue = await org.member.register({ event_types: ['user_settings', 'update_display_settings'] })
  succeeded(await change({ color_scheme: 2 }))
  expect(await queue.events()).toEqual([])
})

test('SET-34: Clients without user_settings_object get the older events in addition; other clients do not.', async () => {
  succeeded(await change({ color_scheme: 1, enable_sounds: true }))
  const types = ['user_settings', 'update_display_settings', 'update_global_notifications']
  const older = await org.member.register({ event_types: types })
  const newer = await org.member.register({
    event_types: types,
    client_capabilities: { user_settings_object: true },
  })
  succeeded(await change({ color_scheme: 3, enable_sounds: false }))
  const events = await older.events()
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'update_display_settings',
      user: org.member.email,
      setting_name: 'color_scheme',
      setting: 3,
    }),
  )
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'update_global_notifications',
      user: org.member.email,
      notification_name: 'enable_sounds',
      setting: false,
    }),
  )
  expect(events.filter(({ type }) => type === 'user_settings')).toHaveLength(2)
  expect((await newer.events()).map(({ type }) => type)).toEqual(['user_settings', 'user_settings'])
})

test('SET-35: Typing events are sent only to users with receives_typing_notifications on, which is the default.', async () => {
  const listener = org.join('Lisa Listener')
  const queue = await listener.register({ event_types: ['typing'] })
  const type = () => org.other.post('/typing', { op: 'start', to: [listener.id] })
  succeeded(await type())
  expect(await queue.events()).toHaveLength(1)
  succeeded(await listener.patch('/settings', { receives_typing_notifications: false }))
  succeeded(await type())
  expect(await queue.events()).toEqual([])
})

test('SET-36: translate_emoticons turns emoticons in sent messages into emoji.', async () => {
  const content = async () => {
    const id = await org.other.send(org.plaza, 'smiles', 'Hello :)')
    return succeeded(await org.other.get(`/messages/${id}`)).message.content
  }
  expect(await content()).toBe('<p>Hello :)</p>')
  succeeded(await org.other.patch('/settings', { translate_emoticons: true }))
  expect(await content()).toContain('class="emoji')
})

test('SET-37: Bots have no settings to edit.', async () => {
  refused(await org.bot.patch('/settings', { color_scheme: 2 }))
})

test('SET-38: Where name or address changes are disabled, only administrators can change their own.', async () => {
  const rules = (isOn: boolean) => ({ name_changes_disabled: isOn, email_changes_disabled: isOn })
  succeeded(await org.owner.patch('/realm', rules(true)))
  const { state } = await org.other.register({ fetch_event_types: ['realm'] })
  expect(state).toMatchObject({ realm_name_changes_disabled: true, realm_email_changes_disabled: true })
  refused(await org.other.patch('/settings', { full_name: 'Otto Renamed', color_scheme: 2 }))
  refused(await org.other.patch('/settings', { email: 'otto.renamed@example.org' }))
  succeeded(await org.other.patch('/settings', { full_name: org.other.name, email: org.other.email }))
  succeeded(await org.admin.patch('/settings', { full_name: 'Ada Again', email: 'ada.again@example.org' }))
  succeeded(await org.admin.patch('/settings', { full_name: org.admin.name }))
  succeeded(await org.owner.patch('/realm', rules(false)))
  succeeded(await org.other.patch('/settings', { full_name: 'Otto Renamed' }))
  succeeded(await org.other.patch('/settings', { full_name: org.other.name }))
})
