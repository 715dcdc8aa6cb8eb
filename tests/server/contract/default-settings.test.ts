import { expect, test } from 'vitest'
import { fresh, organization, refused, succeeded, type Fields } from '../../support/organization.ts'

// What administrators let new accounts start with.

const org = organization()
const path = '/realm/user_settings_defaults'
const change = (fields: Fields) => org.admin.patch(path, fields)
const state = async (): Promise<Record<string, unknown>> =>
  (await org.member.register({ fetch_event_types: ['realm_user_settings_defaults'] })).state[
    'realm_user_settings_defaults'
  ]
const settingsOf = async (who: { register: typeof org.member.register }): Promise<Record<string, unknown>> =>
  (await who.register({ fetch_event_types: ['user_settings'] })).state['user_settings']

test('DEFAULT-01: A changed default is sent to all users and is in the state; an unchanged default sends no event.', async () => {
  const queue = await org.guest.listen({ event_types: ['realm_user_settings_defaults'] })
  expect(
    succeeded(await change({ web_home_view: 'all_messages', enter_sends: true, color_scheme: 1 })),
  ).toEqual({
    result: 'success',
    msg: '',
  })
  const type = 'realm_user_settings_defaults'
  expect(await queue.events()).toEqual([
    { type, op: 'update', property: 'enter_sends', value: true },
    { type, op: 'update', property: 'web_home_view', value: 'all_messages' },
  ])
  expect(await state()).toMatchObject({ web_home_view: 'all_messages', enter_sends: true, color_scheme: 1 })
  succeeded(await change({ enter_sends: true }))
  expect(await queue.events()).toEqual([])
})

test('DEFAULT-02: New users start with the default; existing users and bots keep their settings, and later changes do not affect them.', async () => {
  succeeded(await change({ user_list_style: 2 }))
  const joined = org.join(fresh('New'))
  expect(await settingsOf(joined)).toMatchObject({ user_list_style: 2, left_side_userlist: false })
  expect(await settingsOf(org.member)).toMatchObject({ user_list_style: 3 })
  succeeded(await change({ user_list_style: 1 }))
  expect(await settingsOf(joined)).toMatchObject({ user_list_style: 2 })
  expect(await settingsOf(org.joinBot(fresh('New bot'), org.member))).toMatchObject({ user_list_style: 3 })
})

test('DEFAULT-03: A user whose address is hidden by default is shown with a generated address from the start.', async () => {
  succeeded(await change({ email_address_visibility: 3 }))
  const hidden = org.join(fresh('Hidden'))
  const seen = succeeded(await org.member.get(`/users/${hidden.id}`)).user
  expect(seen).toMatchObject({ delivery_email: null, email: expect.not.stringContaining('hidden-') })
  expect(succeeded(await org.admin.get(`/users/${hidden.id}`)).user.delivery_email).toMatch(/@example\.org$/)
  succeeded(await change({ email_address_visibility: 1 }))
})

test('DEFAULT-04: Personal settings have no default to change, and an invalid value leaves everything unchanged.', async () => {
  const before = await state()
  expect(before).not.toHaveProperty('timezone')
  const own = [
    'full_name',
    'email',
    'old_password',
    'new_password',
    'timezone',
    'default_language',
    'allow_private_data_export',
    'enable_login_emails',
    'enable_marketing_emails',
  ]
  const body = succeeded(await change(Object.fromEntries(own.map((name) => [name, 'x']))))
  expect(body['ignored_parameters_unsupported'].sort()).toEqual([...own].sort())
  refused(await change({ fluid_layout_width: true, color_scheme: 9 }))
  refused(await change({ fluid_layout_width: true, notification_sound: 'gong' }))
  expect(await state()).toEqual(before)
})

test('DEFAULT-05: Only administrators can change defaults; before level 96 no user can.', async () => {
  for (const who of [org.moderator, org.member, org.guest, org.bot])
    refused(await who.patch(path, { enter_sends: false }), 'UNAUTHORIZED_PRINCIPAL')
  await org.service.restartAt(95)
  expect((await org.owner.patch(path, { enter_sends: false })).status).toBe(404)
  await org.service.restartAt(100)
  const older = succeeded(
    await org.owner.patch(path, { display_emoji_reaction_users: false, enter_sends: true }),
  )
  expect(older['ignored_parameters_unsupported']).toBeUndefined()
  expect(await state()).not.toHaveProperty('display_emoji_reaction_users')
  await org.service.restartAt(420)
  expect(await state()).toMatchObject({ display_emoji_reaction_users: true })
})
