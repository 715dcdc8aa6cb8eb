import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const statusOf = async (person: Person, viewer: Person = org.other) =>
  succeeded(await viewer.get(`/users/${person.id}/status`)).status
const away = { emoji_name: 'bus', emoji_code: '1f68c', reaction_type: 'unicode_emoji' }

test('STATUS-01: A status has a trimmed text and an emoji, whose code and type are found by its name.', async () => {
  expect(await statusOf(org.member)).toEqual({})
  succeeded(await org.member.post('/users/me/status', { status_text: ' On the bus ', emoji_name: 'bus' }))
  expect(await statusOf(org.member)).toEqual({ status_text: 'On the bus', ...away })
})

test('STATUS-02: Fields that are not sent keep their values, and an empty text clears the text.', async () => {
  succeeded(await org.member.post('/users/me/status', { status_text: '' }))
  expect(await statusOf(org.member)).toEqual(away)
  succeeded(await org.member.post('/users/me/status', { emoji_name: '' }))
  expect(await statusOf(org.member)).toEqual({})
})

test('STATUS-03: A text has at most 60 characters.', async () => {
  succeeded(await org.member.post('/users/me/status', { status_text: '🚌'.repeat(60) }))
  refused(await org.member.post('/users/me/status', { status_text: 'x'.repeat(61) }))
})

test('STATUS-04: An empty request, a code without a name, and an emoji that does not exist are rejected.', async () => {
  refused(await org.member.post('/users/me/status'))
  refused(await org.member.post('/users/me/status', { emoji_code: '1f68c' }))
  refused(await org.member.post('/users/me/status', { emoji_name: 'no_such_emoji' }))
  refused(await org.member.post('/users/me/status', { emoji_name: 'bus', emoji_code: '1f697' }))
  refused(await org.member.post('/users/me/status', { emoji_name: 'bus', reaction_type: 'realm_emoji' }))
})

test('STATUS-05: The event goes to all users and holds only what changed.', async () => {
  const queue = await org.other.register({ event_types: ['user_status'] })
  const own = await org.member.register({ event_types: ['user_status'] })
  succeeded(await org.member.post('/users/me/status', { status_text: 'Lunch' }))
  succeeded(await org.member.post('/users/me/status', { emoji_name: 'bus' }))
  succeeded(await org.member.post('/users/me/status', { status_text: '', emoji_name: '' }))
  const user_id = org.member.id
  const cleared = { emoji_name: '', emoji_code: '', reaction_type: '' }
  const expected = [
    { type: 'user_status', user_id, status_text: 'Lunch', id: 0 },
    { type: 'user_status', user_id, ...away, id: 1 },
    { type: 'user_status', user_id, status_text: '', ...cleared, id: 2 },
  ]
  expect(await queue.events()).toEqual(expected)
  expect(await own.events()).toEqual(expected)
})

test('STATUS-06: away is the opposite of the setting presence_enabled; changing either changes the other.', async () => {
  const queue = await org.member.register({ event_types: ['user_status', 'user_settings'] })
  succeeded(await org.member.post('/users/me/status', { away: true }))
  expect(await statusOf(org.member)).toEqual({ away: true })
  const { state } = await org.member.register({ fetch_event_types: ['user_settings'] })
  expect(state.user_settings.presence_enabled).toBe(false)
  succeeded(await org.member.patch('/settings', { presence_enabled: true }))
  expect(await statusOf(org.member)).toEqual({})
  expect(await queue.events()).toMatchObject([
    { type: 'user_settings', property: 'presence_enabled', value: false },
    { type: 'user_status', user_id: org.member.id, away: true },
    { type: 'user_settings', property: 'presence_enabled', value: true },
    { type: 'user_status', user_id: org.member.id, away: false },
  ])
})

test('STATUS-07: An administrator can set the status of any user, other users only their own.', async () => {
  succeeded(await org.admin.post(`/users/${org.other.id}/status`, { status_text: 'Ill' }))
  expect(await statusOf(org.other, org.member)).toEqual({ status_text: 'Ill' })
  refused(
    await org.member.post(`/users/${org.other.id}/status`, { status_text: 'Well' }),
    'UNAUTHORIZED_PRINCIPAL',
  )
  refused(await org.admin.post('/users/99999/status', { status_text: 'x' }))
  const bot = org.join('Root Bot', 200, { botType: 1, botOwnerId: org.admin.id })
  refused(await bot.post('/users/me/status', { status_text: 'Up' }))
  refused(await bot.post(`/users/${org.other.id}/status`, { status_text: 'Well' }))
})

test('STATUS-08: The register response holds the statuses of all users who have one.', async () => {
  const { state } = await org.member.register({ fetch_event_types: ['user_status'] })
  expect(state.user_status).toEqual({ [org.other.id]: { status_text: 'Ill' } })
})

test('STATUS-09: The status of a user is hidden from guests who cannot see that user.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const queue = await org.guest.register({ event_types: ['user_status'] })
    succeeded(await org.other.post('/users/me/status', { status_text: 'Hidden' }))
    succeeded(await org.member.post('/users/me/status', { status_text: 'Seen' }))
    refused(await org.guest.get(`/users/${org.other.id}/status`))
    expect(await queue.events()).toMatchObject([{ user_id: org.member.id, status_text: 'Seen' }])
    expect((await org.guest.register()).state.user_status).toEqual({
      [org.member.id]: { status_text: 'Seen' },
    })
  })
})

test('STATUS-10: A text cannot contain null bytes.', async () => {
  refused(await org.member.post('/users/me/status', { status_text: 'a\0b' }))
})
