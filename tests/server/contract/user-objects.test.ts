import { expect, test } from 'vitest'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Answer,
  type Person,
} from '../../support/organization.ts'

// What is told of people and bots (specification, User object, Own-user object and Organization roles).

const org = organization()
const shown = async (person: Person, viewer: Person = org.other, fields: object = {}) =>
  succeeded(await viewer.get(`/users/${person.id}`, { ...fields })).user

const ofPerson = (person: Person) => (one: { user_id: number }) => one.user_id === person.id

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

test('USER-02: The own-user object has every field of the specification.', async () => {
  const { bot_type: _type, bot_owner_id: _owner, ...own } = ofMember()
  expect(succeeded(await org.member.get('/users/me'))).toEqual({
    result: 'success',
    msg: '',
    ...own,
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
  'USER-03: Each role has its number and only the flags that belong to it (%i, %s).',
  async (role, name, flags) => {
    const person = org.join(fresh(`A ${name}`), role)
    expect(await shown(person)).toMatchObject({ role, ...flags })
    expect(succeeded(await person.get('/users/me'))).toMatchObject({ role, ...flags })
  },
)

test.each([1, 2, 3, 4])(
  'USER-04: A bot’s object has its type and its owner, and always an address (type %i).',
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

test('USER-05: A bot without an owner has null as its owner, and a deactivated user is not active.', async () => {
  const bot = org.joinBot(fresh('Old bot'), org.member)
  org.service.workspace.db.run('UPDATE users SET bot_owner_id = NULL WHERE user_id = ?', bot.id)
  expect(await shown(bot)).toMatchObject({ is_bot: true, bot_owner_id: null })
  succeeded(await org.admin.delete(`/users/${bot.id}`))
  expect(await shown(bot)).toMatchObject({ is_active: false })
})

const everybody = () => [org.owner, org.admin, org.moderator, org.other, org.guest]
const visibilities = [
  [1, 'everybody', [true, true, true, true, true]],
  [2, 'members', [true, true, true, true, false]],
  [3, 'administrators', [true, true, false, false, false]],
  [4, 'nobody', [false, false, false, false, false]],
  [5, 'moderators', [true, true, true, false, false]],
] as const

test.each(visibilities)(
  'USER-06: The real address is null for users who cannot see it, and the API email is then made up (%i, %s).',
  async (email_address_visibility, _name, visible) => {
    const person = org.join(fresh('Person'))
    const real = person.email
    succeeded(await person.patch('/settings', { email_address_visibility }))
    const id = await person.send(org.plaza, 'People', 'hello')
    for (const [index, viewer] of everybody().entries()) {
      const addresses = [
        (await shown(person, viewer)).delivery_email,
        succeeded(await viewer.get('/users')).members.find(ofPerson(person)).delivery_email,
        (await viewer.register({ fetch_event_types: ['realm_user'] })).state['realm_users'].find(
          ofPerson(person),
        ).delivery_email,
      ]
      expect(addresses).toEqual(Array(3).fill(visible[index] === true ? real : null))
    }
    const { email } = await shown(person)
    expect(email === real).toBe(email_address_visibility === 1)
    const { messages } = succeeded(await org.member.get('/messages', { message_ids: [id] }))
    expect(messages[0].sender_email).toBe(email)
    expect(succeeded(await person.get('/users/me'))).toMatchObject({ delivery_email: real, email })
  },
)

test('USER-07: A made-up API email is accepted wherever an API email is, and the real address still signs in.', async () => {
  const person = org.join(fresh('Person'))
  succeeded(await person.patch('/settings', { email_address_visibility: 4 }))
  const { email } = await shown(person)
  const id = succeeded(await org.other.post('/messages', { type: 'direct', to: [email], content: 'psst' })).id
  expect(succeeded(await person.get(`/messages/${id}`)).message.display_recipient).toContainEqual(
    expect.objectContaining({ id: person.id, email }),
  )
  const narrow = [{ operator: 'dm', operand: email }]
  const found = succeeded(
    await org.other.get('/messages', { narrow, anchor: 'newest', num_before: 5, num_after: 0 }),
  )
  expect(found.messages.map(({ id: one }: { id: number }) => one)).toEqual([id])
  const signedIn = await fetch(`${org.service.baseUrl}/users/me`, {
    headers: { Authorization: `Basic ${btoa(`${email}:${person.row.api_key}`)}` },
  })
  expect(signedIn.status).toBe(200)
  succeeded(await person.get('/users/me'))
})

test('USER-08: A change of email visibility sends each user an event with what they can see of the address.', async () => {
  const person = org.join(fresh('Person'))
  const events = { event_types: ['realm_user'], fetch_event_types: [] }
  const [admin, other] = [await org.admin.listen(events), await org.other.listen(events)]
  const update = (changed: object) => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: person.id, ...changed },
  })
  succeeded(await person.patch('/settings', { email_address_visibility: 3 }))
  const { email } = await shown(person)
  expect(await admin.events()).toEqual([
    update({ new_email: email }),
    update({ delivery_email: person.email }),
  ])
  expect(await other.events()).toEqual([update({ new_email: email }), update({ delivery_email: null })])
  succeeded(await person.patch('/settings', { email_address_visibility: 1 }))
  expect(await other.events()).toEqual([
    update({ new_email: person.email }),
    update({ delivery_email: person.email }),
  ])
})

test('USER-09: A new address is not sent to users who cannot see it.', async () => {
  const person = org.join(fresh('Person'))
  succeeded(await person.patch('/settings', { email_address_visibility: 3 }))
  const events = { event_types: ['realm_user'], fetch_event_types: [] }
  const [admin, other] = [await org.admin.listen(events), await org.other.listen(events)]
  succeeded(await person.patch('/settings', { email: 'moved@example.org' }))
  const link = /\S+\/confirm-email\/\S+/.exec(org.service.mails.at(-1)?.text ?? '')?.[0] ?? ''
  expect((await fetch(link)).status).toBe(200)
  expect(await admin.events()).toMatchObject([{ person: { delivery_email: 'moved@example.org' } }])
  expect(await other.events()).toEqual([])
  expect(JSON.stringify(await shown(person))).not.toContain('moved@')
})

test('USER-10: A user can be looked up by email as by id, regardless of case; an unknown address is rejected.', async () => {
  for (const email of [org.member.email, org.member.email.toUpperCase(), org.bot.email]) {
    const { user } = succeeded(await org.other.get(`/users/${encodeURIComponent(email)}`))
    const { user_id } = user
    expect(user).toEqual(succeeded(await org.other.get(`/users/${user_id}`)).user)
    expect([org.member.id, org.bot.id]).toContain(user_id)
  }
  const whole = { include_custom_profile_fields: true }
  expect(succeeded(await org.other.get(`/users/${org.member.email}`, whole)).user).toHaveProperty(
    'profile_data',
  )
  for (const email of ['nobody@example.org', '@', 'user99999@hidden.invalid', "x'@example.org"])
    refused(
      await org.other.get(`/users/${encodeURIComponent(email)}`),
      'BAD_REQUEST',
      email === '@' ? 404 : 400,
    )
  await org.service.restartAt(38)
  expect((await org.other.get(`/users/${org.member.email}`)).status).toBe(404)
  await org.service.restartAt(420)
})

test('USER-11: A hidden address finds its user only for users who can see it; the made-up one works for all but guests who cannot see that user.', async () => {
  const shy = org.join(fresh('Shy'))
  const madeUp = `user${shy.id}@hidden.invalid`
  const find = (who: Person, email: string) => who.get(`/users/${email}`)
  expect(succeeded(await find(org.other, madeUp)).user.user_id).toBe(shy.id)
  succeeded(await shy.patch('/settings', { email_address_visibility: 3 }))
  refused(await find(org.other, shy.email))
  refused(await find(org.guest, shy.email))
  for (const who of [org.admin, shy]) expect(succeeded(await find(who, shy.email)).user.user_id).toBe(shy.id)
  const seen = succeeded(await find(org.other, madeUp)).user
  expect(seen).toMatchObject({ user_id: shy.id, email: madeUp, delivery_email: null })
  await org.whileGuestsAreLimited(async () => {
    for (const email of [madeUp, org.other.email]) refused(await find(org.guest, email))
    succeeded(await find(org.guest, org.member.email))
  })
})

test('USER-12: Administrators can change a user by email as by id; to other users, known and unknown addresses look the same.', async () => {
  const person = org.join(fresh('Person'))
  const change = (who: Person, email: string, fields: object) => who.patch(`/users/${email}`, { ...fields })
  const queue = await org.member.listen({ event_types: ['realm_user'] })
  succeeded(await change(org.admin, person.email, { full_name: 'By Email', role: 300 }))
  expect(await queue.events()).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id: person.id, full_name: 'By Email' } },
    { type: 'realm_user', op: 'update', person: { user_id: person.id, role: 300 } },
  ])
  for (const email of [person.email, 'nobody@example.org'])
    refused(await change(org.member, email, { role: 400 }), 'UNAUTHORIZED_PRINCIPAL')
  refused(await change(org.admin, 'nobody@example.org', { role: 400 }))
  refused(await change(org.admin, person.email, { role: 100 }), 'UNAUTHORIZED_PRINCIPAL')
})

test('USER-13: Wherever a user is named by address, a hidden address is treated as unknown for users who cannot see it.', async () => {
  const shy = org.join(fresh('Shy'))
  succeeded(await shy.post('/users/me/presence', { status: 'active' }))
  succeeded(await shy.patch('/settings', { email_address_visibility: 3 }))
  const narrowed = (operator: string) => (who: Person, email: string) =>
    who.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator, operand: email }],
    })
  const ways: readonly ((who: Person, email: string) => Promise<Answer>)[] = [
    ...['sender', 'dm', 'dm-including', 'group-pm-with'].map(narrowed),
    (who, email) => who.post('/messages', { type: 'direct', to: [email], content: 'Hello' }),
    (who, email) => who.get(`/users/${email}/presence`),
    (who, email) =>
      who.post('/users/me/subscriptions', { subscriptions: [{ name: 'plaza' }], principals: [email] }),
    (who, email) => who.delete('/users/me/subscriptions', { subscriptions: ['plaza'], principals: [email] }),
  ]
  for (const ask of ways) {
    const mayDo = (await ask(org.admin, shy.email)).status
    expect(mayDo).toBe(200)
    const [hidden, strange] = [await ask(org.other, shy.email), await ask(org.other, 'nobody@example.org')]
    expect({ ...hidden.body, msg: String(hidden.body['msg']).replace(shy.email, 'X') }).toEqual({
      ...strange.body,
      msg: String(strange.body['msg']).replace('nobody@example.org', 'X'),
    })
    expect(hidden.status).toBe(400)
  }
  for (const ask of ways.slice(0, 6))
    expect((await ask(org.other, `user${shy.id}@hidden.invalid`)).status).toBe(200)
})
