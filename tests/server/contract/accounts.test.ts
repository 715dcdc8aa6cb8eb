import { expect, test } from 'vitest'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
} from '../../support/organization.ts'

// Accounts in the hands of administrators (specification, Organization roles and Events).

/** The addresses that the service was told of. */
const named: string[] = []
const org = organization({ configuration: { accountCreators: named } })
const change = (who: Person, person: Person, fields: Fields) => who.patch(`/users/${person.id}`, fields)
const end = (who: Person, person: Person, fields: Fields = {}) => who.delete(`/users/${person.id}`, fields)
const shown = async (person: Person) => succeeded(await org.owner.get(`/users/${person.id}`)).user
const made = async (people: readonly Person[], fields: Fields = {}): Promise<number> =>
  succeeded(
    await org.owner.post('/channels/create', {
      name: fresh('channel'),
      subscribers: people.map((one) => one.id),
      ...fields,
    }),
  ).id

test('ADMIN-01: Administrators can change names and roles, and all users get an event.', async () => {
  const person = org.join(fresh('Person'))
  const queue = await org.member.listen({ event_types: ['realm_user'] })
  succeeded(await change(org.admin, person, { full_name: 'Renamed', role: 300 }))
  expect(await queue.events()).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id: person.id, full_name: 'Renamed' } },
    { type: 'realm_user', op: 'update', person: { user_id: person.id, role: 300 } },
  ])
  expect(await shown(person)).toMatchObject({ full_name: 'Renamed', role: 300 })
  refused(await change(org.admin, person, { full_name: '' }))
  refused(await change(org.admin, person, { role: 500 }))
})

test('ADMIN-02: Non-administrators cannot change, deactivate or reactivate accounts, and an unknown user id is rejected.', async () => {
  const person = org.join(fresh('Person'))
  const code = 'UNAUTHORIZED_PRINCIPAL'
  for (const who of [org.moderator, org.member, org.guest, org.bot]) {
    refused(await change(who, person, { role: 600 }), code)
    refused(await end(who, person), code)
    refused(await who.post(`/users/${person.id}/reactivate`), code)
  }
  refused(await org.admin.patch('/users/99999', { role: 600 }))
  refused(await org.admin.delete('/users/99999'))
})

test('ADMIN-03: Only owners can make a user an owner, and change or deactivate the accounts of owners.', async () => {
  const [person, owner] = [org.join(fresh('Person')), org.join(fresh('Second'), 100)]
  const code = 'UNAUTHORIZED_PRINCIPAL'
  refused(await change(org.admin, person, { role: 100 }), code)
  refused(await change(org.admin, owner, { role: 400 }), code)
  refused(await end(org.admin, owner), code)
  succeeded(await change(org.owner, person, { role: 100 }))
  succeeded(await change(org.owner, person, { role: 400 }))
  succeeded(await end(org.owner, owner))
})

test('ADMIN-04: The last owner cannot lose the role, and their account cannot be deactivated.', async () => {
  refused(await change(org.owner, org.owner, { role: 200 }))
  for (const answer of [await end(org.owner, org.owner), await org.owner.delete('/users/me')]) {
    expect(refused(answer, 'CANNOT_DEACTIVATE_LAST_USER')).toMatchObject({
      is_last_owner: true,
      entity: 'organization owner',
    })
  }
})

test('ADMIN-05: A user who becomes a guest loses access to channels they are not subscribed to, and regains it with their former role.', async () => {
  const person = org.join(fresh('Person'))
  const [own, other] = [await made([person]), await made([])]
  const queue = await person.listen({ event_types: ['stream'] })
  succeeded(await change(org.admin, person, { role: 600 }))
  const lost = (await queue.events()).flatMap((event) => event['stream_ids'] ?? [])
  expect(lost).toContain(other)
  expect(lost).not.toContain(own)
  refused(await person.get(`/streams/${other}`))
  succeeded(await change(org.admin, person, { role: 400 }))
  const gained = (await queue.events()).flatMap((event) => event['streams'] ?? [])
  expect(gained).toContainEqual(expect.objectContaining({ stream_id: other }))
})

test('ADMIN-06: A deactivated account is signed out everywhere, and other users get an event.', async () => {
  const person = org.join(fresh('Person'))
  const id = await made([person, org.member])
  const [own, queue] = [
    await person.listen(),
    await org.member.listen({ event_types: ['realm_user', 'subscription'] }),
  ]
  succeeded(await end(org.admin, person))
  expect(await queue.events()).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id: person.id, is_active: false } },
    { type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [person.id] },
  ])
  refused(await person.get('/users/me'), 'UNAUTHORIZED', 401)
  expect(await shown(person)).toMatchObject({ is_active: false })
  refused(await end(org.admin, person))
  succeeded(await org.admin.post(`/users/${person.id}/reactivate`))
  // Its queues ended with it.
  refused(
    await person.get('/events', { queue_id: own.id, last_event_id: -1, dont_block: true }),
    'BAD_EVENT_QUEUE_ID',
  )
})

test('ADMIN-07: A reactivated account is subscribed to its channels again.', async () => {
  const person = org.join(fresh('Person'))
  const id = await made([person, org.member])
  succeeded(await end(org.admin, person))
  expect(succeeded(await org.member.get(`/streams/${id}/members`)).subscribers).toEqual([org.member.id])
  const queue = await org.member.listen({ event_types: ['realm_user', 'subscription'] })
  succeeded(await org.admin.post(`/users/${person.id}/reactivate`))
  expect(await queue.events()).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id: person.id, is_active: true } },
    { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [person.id] },
  ])
  succeeded(await person.get('/users/me'))
  refused(await org.admin.post(`/users/${person.id}/reactivate`))
})

test('ADMIN-08: Deactivating an account also deactivates its bots.', async () => {
  const person = org.join(fresh('Person'))
  const bot = org.joinBot(fresh('Bot'), person)
  succeeded(await end(org.admin, person))
  refused(await bot.get('/users/me'), 'UNAUTHORIZED', 401)
  expect(await shown(bot)).toMatchObject({ is_active: false })
})

test('ADMIN-09: Any user except a bot can deactivate their own account.', async () => {
  const person = org.join(fresh('Person'), 600)
  succeeded(await person.delete('/users/me'))
  refused(await person.get('/users/me'), 'UNAUTHORIZED', 401)
  refused(await org.bot.delete('/users/me'))
})

test('ADMIN-10: A deactivated user is notified by mail with the administrator’s comment, of at most 2000 characters.', async () => {
  const person = org.join(fresh('Person'))
  refused(await end(org.admin, person, { deactivation_notification_comment: 'x'.repeat(2_001) }))
  succeeded(await end(org.admin, person, { deactivation_notification_comment: 'Thank you for the tides.' }))
  expect(org.service.mails.at(-1)).toMatchObject({
    to: person.email,
    text: expect.stringContaining('Thank you for the tides.'),
  })
})

const newcomer = (fields: Fields = {}) => {
  const full_name = fresh('Newcomer')
  return {
    full_name,
    email: `${full_name.replace(' ', '-')}@example.org`,
    password: 'tide tables',
    ...fields,
  }
}

test('ADMIN-11: An owner can create a member, who can sign in, is subscribed to the default channels and gets the welcome message; all users get an event.', async () => {
  const channel = await made([])
  succeeded(await org.admin.post('/default_streams', { stream_id: channel }))
  succeeded(await org.owner.patch('/realm', { welcome_message_custom_text: 'Mind the tide.' }))
  const queue = await org.member.listen({ event_types: ['realm_user', 'subscription'] })
  const who = newcomer()
  const { user_id } = succeeded(await org.owner.post('/users', who))
  const person = { user_id, full_name: who.full_name, delivery_email: who.email, role: 400, is_bot: false }
  const [added, ...rest] = await queue.events()
  expect(added).toMatchObject({ type: 'realm_user', op: 'add', person })
  expect(rest).toContainEqual({
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [channel],
    user_ids: [user_id],
  })
  const key = succeeded(
    await org.nobody.post('/fetch_api_key', { username: who.email, password: who.password }),
  )
  expect(key).toMatchObject({ user_id })
  const welcomed = await fetch(`${org.service.baseUrl}/messages?anchor=newest&num_before=1&num_after=0`, {
    headers: { Authorization: `Basic ${btoa(`${key.email}:${key.api_key}`)}` },
  })
  expect(await welcomed.json()).toMatchObject({
    messages: [{ sender_full_name: 'Welcome Bot', content: '<p>Mind the tide.</p>' }],
  })
  succeeded(await org.owner.patch('/realm', { welcome_message_custom_text: '' }))
})

test('ADMIN-12: Other administrators and bots can create accounts if the server’s configuration names them; before level 36 all administrators can.', async () => {
  const creator = org.join('Cleo Creator', 200)
  const robot = org.join('Rob Robot', 200, { botType: 1, botOwnerId: creator.id })
  for (const who of [org.moderator, org.member, org.guest, org.bot])
    refused(await who.post('/users', newcomer()), 'UNAUTHORIZED_PRINCIPAL')
  for (const who of [org.admin, creator, robot]) refused(await who.post('/users', newcomer()))
  await org.service.restartAt(35)
  succeeded(await org.admin.post('/users', newcomer()))
  await org.service.restartAt(420)
  Object.assign(named, [creator.email.toUpperCase(), robot.email])
  for (const who of [creator, robot]) succeeded(await who.post('/users', newcomer()))
  refused(await org.admin.post('/users', newcomer()))
})

test('ADMIN-13: An invalid, used or foreign address, a weak password or a missing name is rejected, and no account is created.', async () => {
  const count = async () => succeeded(await org.owner.get('/users')).members.length
  const before = await count()
  for (const fields of [
    { email: 'nowhere' },
    { email: org.member.email.toUpperCase() },
    { password: 'short' },
    { full_name: ' ' },
    { full_name: 'A**B' },
  ])
    refused(await org.owner.post('/users', newcomer(fields)))
  succeeded(await org.owner.post('/realm/domains', { domain: 'wader.example', allow_subdomains: false }))
  succeeded(await org.owner.patch('/realm', { emails_restricted_to_domains: true }))
  refused(await org.owner.post('/users', newcomer()))
  expect(await count()).toBe(before)
  succeeded(await org.owner.post('/users', newcomer({ email: 'knot@wader.example' })))
  succeeded(await org.owner.patch('/realm', { emails_restricted_to_domains: false }))
})

test('ADMIN-14: A bot with the owner role does not count as another owner, so the last human owner must remain.', async () => {
  const bot = org.joinBot(fresh('Bot'), org.owner)
  succeeded(await org.owner.patch(`/bots/${bot.id}`, { role: 100 }))
  expect(succeeded(await org.owner.get(`/users/${bot.id}`)).user.role).toBe(100)
  refused(await org.owner.delete('/users/me'), 'CANNOT_DEACTIVATE_LAST_USER')
  refused(await change(org.owner, org.owner, { role: 200 }))
})
