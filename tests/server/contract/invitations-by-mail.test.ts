import { minuteMs } from '../../../src-shared/durations.ts'
import { expect, test } from 'vitest'
import { systemGroupId, type SystemGroupName } from '../../../src-server/permissions/groups.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Fields,
  type Person,
  setRealmPermission,
} from '../../support/organization.ts'

// Invitations to addresses: who may send them, what is sent, and how they end.

const org = organization()
const address = () => `${fresh('Invited').replace(' ', '-')}@example.org`
const invite = (who: Person, emails: string, fields: Fields = {}) =>
  who.post('/invites', { invitee_emails: emails, stream_ids: [], ...fields })
const listed = async (who: Person) => succeeded(await who.get('/invites')).invites
const idOf = async (email: string): Promise<number> =>
  (await listed(org.owner)).find((one: { email?: string }) => one.email === email)?.id ?? 0
/** The mails to an address, oldest first. */
const mailsTo = (email: string) => org.service.mails.filter((mail) => mail.to === email)
/** The link of the newest mail to an address. */
const linkTo = (email: string): string => /http\S+/.exec(mailsTo(email).at(-1)?.text ?? '')?.[0] ?? ''
const join = async (url: string, fields: Record<string, string> = {}) => {
  const form = { full_name: fresh('Newcomer'), password: 'tide tables', ...fields }
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, text: await response.text(), name: form.full_name }
}
const signIn = (username: string) => org.nobody.post('/fetch_api_key', { username, password: 'tide tables' })

test('INVITE-22: Each address in the list receives a mail with its own link, the name of the inviter and the expiry time.', async () => {
  const [first, second] = [address(), address()]
  const list = `${first}, Somebody New <${second}>\n\n${first.toUpperCase()},`
  expect(succeeded(await invite(org.member, list, { invite_expires_in_minutes: 60 }))).toEqual({
    result: 'success',
    msg: '',
  })
  expect([mailsTo(first).length, mailsTo(second).length]).toEqual([1, 1])
  expect(linkTo(first)).toMatch(new RegExp(`^${org.service.workspace.url}/join/[A-Za-z0-9]{20,}/$`))
  expect(linkTo(first)).not.toBe(linkTo(second))
  expect(mailsTo(first)[0]?.subject).toContain(org.member.name)
  expect(mailsTo(first)[0]?.text).toMatch(/until \d{4}-\d\d-\d\d at \d\d:\d\d UTC/)
  await invite(org.member, second, { invite_expires_in_minutes: null })
  expect(mailsTo(second).at(-1)?.text).not.toContain('until')
})

test('INVITE-23: The link lets one user join, only with the invited address, and stops working once it is used.', async () => {
  const email = address()
  const channel = succeeded(
    await org.owner.post('/channels/create', { name: fresh('channel'), subscribers: [] }),
  ).id
  succeeded(await invite(org.owner, email, { stream_ids: [channel], invite_as: 600 }))
  const url = linkTo(email)
  expect(await (await fetch(url)).text()).toMatch(new RegExp(`readonly\\s[^>]*value="${email}"`))
  const { status, name } = await join(url, { email: address() })
  expect(status).toBe(200)
  const { user_id } = succeeded(await signIn(email))
  expect(succeeded(await org.owner.get(`/users/${user_id}`)).user).toMatchObject({
    full_name: name,
    delivery_email: email,
    role: 600,
  })
  expect(succeeded(await org.owner.get(`/streams/${channel}/members`)).subscribers).toEqual([user_id])
  expect((await join(url)).status).toBe(404)
  expect((await fetch(url)).status).toBe(404)
  expect(await idOf(email)).toBe(0)
})

test('INVITE-24: The list holds both kinds: with an address and without a link, or with a link and without an address.', async () => {
  const email = address()
  const { invite_link: link_url } = succeeded(await org.admin.post('/invites/multiuse'))
  succeeded(await invite(org.admin, email, { notify_referrer_on_join: false, invite_as: 300 }))
  const at = Math.floor(org.clock.now() / 1000)
  const both = {
    id: expect.any(Number),
    invited_by_user_id: org.admin.id,
    invited: at,
    expiry_date: at + 14_400 * 60,
    notify_referrer_on_join: false,
  }
  const found = (await listed(org.admin)).slice(-2)
  expect(found).toEqual([
    { ...both, invited_as: 400, is_multiuse: true, link_url },
    { ...both, invited_as: 300, is_multiuse: false, email },
  ])
  const mine = address()
  succeeded(await invite(org.member, mine))
  expect(await listed(org.other)).toEqual([])
  expect(await listed(org.member)).toContainEqual(expect.objectContaining({ email: mine }))
})

test('INVITE-25: Only the sender and administrators may resend or revoke an invitation by mail, and its id is not accepted for a reusable one.', async () => {
  const email = address()
  succeeded(await invite(org.member, email))
  const [id, url] = [await idOf(email), linkTo(email)]
  for (const who of [org.other, org.guest, org.bot]) {
    refused(await who.post(`/invites/${id}/resend`))
    refused(await who.delete(`/invites/${id}`))
  }
  for (const who of [org.member, org.admin]) succeeded(await who.post(`/invites/${id}/resend`))
  expect(mailsTo(email)).toHaveLength(3)
  expect(linkTo(email)).toBe(url)
  refused(await org.owner.delete(`/invites/multiuse/${id}`))
  succeeded(await org.owner.post('/invites/multiuse'))
  const link = (await listed(org.owner)).at(-1).id
  refused(await org.owner.delete(`/invites/${link}`))
  refused(await org.owner.post(`/invites/${link}/resend`))
  succeeded(await org.member.delete(`/invites/${id}`))
  expect((await fetch(url)).status).toBe(404)
  refused(await org.member.post(`/invites/${id}/resend`))
  refused(await org.member.delete(`/invites/${id}`))
  const owners = address()
  succeeded(await invite(org.owner, owners, { invite_as: 100 }))
  refused(await org.admin.delete(`/invites/${await idOf(owners)}`))
})

test('INVITE-26: Only members of can_invite_users_group may invite by mail, never to a higher role; guests and bots never may; channels are checked as for links.', async () => {
  const { db } = org.service.workspace
  const allow = (name: SystemGroupName) =>
    setRealmPermission(db, 'can_invite_users_group', systemGroupId(db, name))
  for (const who of [org.guest, org.bot]) refused(await invite(who, address()))
  refused(await invite(org.member, address(), { invite_as: 300 }))
  for (const stream_ids of [[99_999], [org.cellar]])
    refused(await invite(org.other, address(), { stream_ids }))
  refused(await invite(org.member, address(), { group_ids: [99_999] }))
  allow('role:administrators')
  refused(await invite(org.member, address()))
  succeeded(await invite(org.admin, address()))
  allow('role:members')
  const before = org.service.mails.length
  refused(await invite(org.member, ' ,\n'))
  refused(await org.member.post('/invites', { stream_ids: [] }), 'REQUEST_VARIABLE_MISSING')
  refused(await org.member.post('/invites', { invitee_emails: address() }), 'REQUEST_VARIABLE_MISSING')
  expect(org.service.mails).toHaveLength(before)
})

test('INVITE-27: INVITATION_FAILED lists who was not invited and why: an invalid address stops the whole request, an existing account only its own invitation.', async () => {
  const code = 'INVITATION_FAILED'
  const gone = org.join(fresh('Gone'))
  succeeded(await org.owner.delete(`/users/${gone.id}`))
  const nothing = { sent_invitations: false, license_limit_reached: false, daily_limit_reached: false }
  const email = address()
  const bad = refused(await invite(org.owner, `${email}, nowhere`), code)
  expect(bad).toMatchObject({ ...nothing, errors: [['nowhere', expect.any(String), false]] })
  const known = [
    [org.other.email, 'Already has an account.', false],
    [gone.email, 'Account has been deactivated.', true],
  ]
  const all = `${org.other.email}\n${gone.email}`
  expect(refused(await invite(org.owner, all), code)).toMatchObject({ ...nothing, errors: known })
  expect(mailsTo(email)).toEqual([])
  const some = refused(await invite(org.owner, `${all}\n${email}`), code)
  expect(some).toMatchObject({ ...nothing, errors: known, sent_invitations: true })
  expect(mailsTo(email)).toHaveLength(1)
  succeeded(await org.owner.post('/realm/domains', { domain: 'wader.example', allow_subdomains: false }))
  succeeded(await org.owner.patch('/realm', { emails_restricted_to_domains: true }))
  const strange = address()
  refused(await invite(org.owner, strange), code)
  succeeded(await invite(org.owner, 'knot@wader.example'))
  expect(mailsTo(strange)).toEqual([])
  succeeded(await org.owner.patch('/realm', { emails_restricted_to_domains: false }))
})

test('INVITE-28: The sender is notified when the invited user joins, unless they opted out, and users who manage the invitation get an event when the list changes.', async () => {
  const [told, untold] = [address(), address()]
  const queues = [
    await org.member.listen({ event_types: ['invites_changed'] }),
    await org.admin.listen({ event_types: ['invites_changed'] }),
    await org.other.listen({ event_types: ['invites_changed'] }),
  ]
  const heard = () => Promise.all(queues.map(async (queue) => (await queue.events()).length))
  succeeded(await invite(org.member, told))
  expect(await heard()).toEqual([1, 1, 0])
  succeeded(await invite(org.member, untold, { notify_referrer_on_join: false }))
  const direct = await org.member.listen({ event_types: ['message'], narrow: [['is', 'dm']] })
  await join(linkTo(untold))
  expect(await direct.events()).toEqual([])
  const { name } = await join(linkTo(told))
  const message = (await direct.events())[0]?.['message']
  expect(message.sender_full_name).toBe('Notification Bot')
  expect(message.content).toContain(name)
  expect(message.content).toContain('accepted your invitation')
  expect(await heard()).toEqual([3, 3, 0])
})

test('INVITE-29: An invitation by mail ends when it expires or when its address gets an account another way; a user may send at most 200 mails a day.', async () => {
  const [late, elsewhere] = [address(), address()]
  succeeded(await invite(org.member, late, { invite_expires_in_minutes: 30 }))
  succeeded(await invite(org.member, elsewhere))
  const { invite_link } = succeeded(await org.owner.post('/invites/multiuse'))
  expect((await join(invite_link, { email: elsewhere.toUpperCase() })).status).toBe(200)
  expect((await fetch(linkTo(elsewhere))).status).toBe(404)
  expect((await fetch(linkTo(late))).status).toBe(200)
  org.clock.set(org.clock.now() + 30 * minuteMs)
  expect((await fetch(linkTo(late))).status).toBe(404)
  const many = Array.from({ length: 201 }, address)
  const before = org.service.mails.length
  expect(refused(await invite(org.member, many.join()), 'INVITATION_FAILED')).toMatchObject({
    errors: [],
    sent_invitations: false,
    daily_limit_reached: true,
  })
  expect(org.service.mails).toHaveLength(before)
  org.clock.set(org.clock.now() + 24 * 60 * minuteMs)
  succeeded(await invite(org.member, many.slice(1).join()))
  org.clock.set(org.clock.now() + (24 * 60 - 1) * minuteMs)
  refused(await invite(org.member, address()), 'INVITATION_FAILED')
  org.clock.set(org.clock.now() + minuteMs)
  succeeded(await invite(org.member, address()))
})
