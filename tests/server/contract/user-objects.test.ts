import { expect, test } from 'vitest'
import { fresh, organization, succeeded, type Person } from '../../support/organization.ts'

// What is told of people and bots (specification, User object, Own-user object and Organization roles).

const org = organization()
const shown = async (person: Person, viewer: Person = org.other, fields: object = {}) =>
  succeeded(await viewer.get(`/users/${person.id}`, { ...fields })).user

/** What the service says of a member whom nothing sets apart. */
const ofMember = () => ({
  user_id: org.member.id,
  delivery_email: org.member.email,
  email: org.member.email,
  full_name: org.member.name,
  date_joined: new Date(org.member.row.date_joined * 1_000).toISOString(),
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  role: 400,
  timezone: '',
  avatar_url: expect.stringMatching(/^\//),
  avatar_version: 1,
})

test('USER-01: A user object has every field of the specification.', async () => {
  expect(await shown(org.member)).toEqual(ofMember())
  expect(await shown(org.member, org.other, { include_custom_profile_fields: true })).toEqual({
    ...ofMember(),
    profile_data: {},
  })
})

test('USER-02: The own user object has every field of the specification.', async () => {
  expect(succeeded(await org.member.get('/users/me'))).toEqual({
    result: 'success',
    msg: '',
    ...ofMember(),
    profile_data: {},
    max_message_id: -1,
  })
  const id = await org.member.send(org.plaza, 'People', 'hello')
  expect(succeeded(await org.member.get('/users/me'))).toMatchObject({ max_message_id: id })
  expect(succeeded(await org.bot.get('/users/me'))).not.toHaveProperty('profile_data')
})

const roles = [
  [100, 'owner', { is_owner: true, is_admin: true, is_guest: false }],
  [200, 'administrator', { is_owner: false, is_admin: true, is_guest: false }],
  [300, 'moderator', { is_owner: false, is_admin: false, is_guest: false }],
  [400, 'member', { is_owner: false, is_admin: false, is_guest: false }],
  [600, 'guest', { is_owner: false, is_admin: false, is_guest: true }],
] as const

test.each(roles)(
  'USER-03: Each role has its number, and only the flags that go with it (%i, %s).',
  async (role, name, flags) => {
    const person = org.join(fresh(`A ${name}`), role)
    expect(await shown(person)).toMatchObject({ role, ...flags })
    expect(succeeded(await person.get('/users/me'))).toMatchObject({ role, ...flags })
  },
)

test.each([1, 2, 3, 4])(
  'USER-04: A bot says its type and its owner, and always has an address (type %i).',
  async (type) => {
    const bot = org.joinBot(fresh('Bot'), org.member)
    org.service.workspace.db.run('UPDATE users SET bot_type = ? WHERE user_id = ?', type, bot.id)
    const told = await shown(bot, org.guest, { include_custom_profile_fields: true })
    expect(told).toMatchObject({
      is_bot: true,
      bot_type: type,
      bot_owner_id: org.member.id,
      delivery_email: bot.email,
    })
    expect(told).not.toHaveProperty('profile_data')
  },
)

test('USER-05: A bot that nobody owns has no owner, and who was deactivated is not active.', async () => {
  const bot = org.joinBot(fresh('Old bot'), org.member)
  org.service.workspace.db.run('UPDATE users SET bot_owner_id = NULL WHERE user_id = ?', bot.id)
  expect(await shown(bot)).toMatchObject({ is_bot: true, bot_owner_id: null })
  succeeded(await org.admin.delete(`/users/${bot.id}`))
  expect(await shown(bot)).toMatchObject({ is_active: false })
})
