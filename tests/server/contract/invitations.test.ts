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

// Reusable invitations and the page behind them (specification, POST /invites/multiuse).

const org = organization()
const system = (name: SystemGroupName) => systemGroupId(org.service.workspace.db, name)
const everybodyInvites = (name: SystemGroupName) =>
  setRealmPermission(org.service.workspace.db, 'create_multiuse_invite_group', system(name))

const invite = (who: Person, fields: Fields = {}) => who.post('/invites/multiuse', fields)
const link = async (who: Person, fields: Fields = {}): Promise<string> =>
  succeeded(await invite(who, fields)).invite_link
const visit = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const newcomer = (fields: Fields = {}) => {
  const name = fresh('Newcomer')
  return {
    full_name: name,
    email: `${name.replace(' ', '-')}@example.org`,
    password: 'tide tables',
    ...fields,
  }
}
const join = async (url: string, fields: Fields) => {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields as Record<string, string>),
  })
  return { status: response.status, text: await response.text() }
}
/** Joins with a link, signs in, and answers what the service says to the new person. */
const joined = async (url: string) => {
  const who = newcomer()
  expect((await join(url, who)).status).toBe(200)
  const response = await fetch(`${org.service.baseUrl}/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: who.email, password: who.password }),
  })
  const { api_key, email, user_id } = await response.json()
  const get = async (path: string) => {
    const answer = await fetch(`${org.service.baseUrl}${path}`, {
      headers: { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
    })
    return answer.json()
  }
  return { id: user_id as number, name: who.full_name, get }
}
const channelsOf = async (person: Awaited<ReturnType<typeof joined>>) =>
  (await person.get('/users/me/subscriptions')).subscriptions.map(
    (one: { stream_id: number }) => one.stream_id,
  )
const made = async (by: Person, fields: Fields = {}): Promise<number> =>
  succeeded(await by.post('/channels/create', { name: fresh('channel'), subscribers: [], ...fields })).id
const listed = async (who: Person) => succeeded(await who.get('/invites')).invites

test('INVITE-01: The answer is a link under the organization’s address.', async () => {
  const url = await link(org.admin)
  expect(url).toMatch(new RegExp(`^${org.service.workspace.url}/join/[A-Za-z0-9]{20,}/$`))
  expect(await link(org.admin)).not.toBe(url)
})

test('INVITE-02: Only members of create_multiuse_invite_group may create invitations, by default administrators; guests and bots never may.', async () => {
  for (const who of [org.moderator, org.member, org.guest, org.bot]) refused(await invite(who))
  everybodyInvites('role:members')
  succeeded(await invite(org.member))
  for (const who of [org.guest, org.bot]) refused(await invite(who))
  everybodyInvites('role:administrators')
})

test('INVITE-03: Users cannot invite to a higher role than their own; the default role is member.', async () => {
  everybodyInvites('role:members')
  const may = async (who: Person) => {
    const found: number[] = []
    for (const invite_as of [100, 200, 300, 400, 600]) {
      const { status } = await invite(who, { invite_as })
      if (status === 200) found.push(invite_as)
    }
    return found
  }
  expect(await may(org.owner)).toEqual([100, 200, 300, 400, 600])
  expect(await may(org.admin)).toEqual([200, 300, 400, 600])
  expect(await may(org.moderator)).toEqual([300, 400, 600])
  expect(await may(org.member)).toEqual([400, 600])
  refused(await invite(org.owner, { invite_as: 500 }))
  everybodyInvites('role:administrators')
  const { id, get } = await joined(await link(org.owner))
  expect(await get(`/users/${id}`)).toMatchObject({ user: { role: 400 } })
  const guest = await joined(await link(org.owner, { invite_as: 600 }))
  expect(await guest.get(`/users/me`)).toMatchObject({ role: 600, is_guest: true })
})

test('INVITE-04: An invitation is valid for the minutes given and can be used any number of times.', async () => {
  const url = await link(org.admin, { invite_expires_in_minutes: 30 })
  org.clock.set(org.clock.now() + 29 * minuteMs)
  await joined(url)
  await joined(url)
  org.clock.set(org.clock.now() + minuteMs)
  expect((await visit(url)).status).toBe(404)
  expect((await join(url, newcomer())).status).toBe(404)
  for (const invite_expires_in_minutes of [0, -1, 'soon', 1.5]) {
    refused(await invite(org.admin, { invite_expires_in_minutes }))
  }
})

test('INVITE-05: By default an invitation is valid for ten days; with null it never expires.', async () => {
  const [usual, endless] = [await link(org.admin), await link(org.admin, { invite_expires_in_minutes: null })]
  org.clock.set(org.clock.now() + 14_399 * minuteMs)
  expect((await visit(usual)).status).toBe(200)
  org.clock.set(org.clock.now() + minuteMs)
  expect((await visit(usual)).status).toBe(404)
  org.clock.set(org.clock.now() + 1_000_000 * minuteMs)
  expect((await visit(endless)).status).toBe(200)
})

test('INVITE-06: The new user is subscribed to the channels of the invitation, and to the default channels if it says so.', async () => {
  const [first, preset] = [await made(org.admin), await made(org.admin)]
  succeeded(await org.admin.post('/default_streams', { stream_id: preset }))
  expect(await channelsOf(await joined(await link(org.admin, { stream_ids: [first] })))).toEqual([first])
  const both = await link(org.admin, { stream_ids: [first], include_realm_default_subscriptions: true })
  expect(await channelsOf(await joined(both))).toEqual([first, preset])
  expect(await channelsOf(await joined(await link(org.admin)))).toEqual([])
})

test('INVITE-07: A user who may not subscribe others cannot invite to channels, except to the default ones.', async () => {
  const { db } = org.service.workspace
  everybodyInvites('role:members')
  setRealmPermission(db, 'can_add_subscribers_group', system('role:moderators'))
  const [open, own] = [
    await made(org.admin),
    await made(org.admin, {
      can_add_subscribers_group: { direct_members: [org.member.id], direct_subgroups: [] },
    }),
  ]
  refused(await invite(org.member, { stream_ids: [open] }))
  succeeded(await invite(org.member, { stream_ids: [] }))
  succeeded(await invite(org.member, { stream_ids: [own] }))
  const url = await link(org.member, { include_realm_default_subscriptions: true })
  expect(await channelsOf(await joined(url))).not.toEqual([])
  succeeded(await invite(org.moderator, { stream_ids: [open] }))
  setRealmPermission(db, 'can_add_subscribers_group', system('role:members'))
  everybodyInvites('role:administrators')
})

test('INVITE-08: A channel that does not exist, is hidden from the inviter or is archived is rejected, and no invitation is sent.', async () => {
  everybodyInvites('role:members')
  const archived = await made(org.admin)
  succeeded(await org.admin.delete(`/streams/${archived}`))
  for (const id of [99_999, archived]) {
    expect(refused(await invite(org.admin, { stream_ids: [id] })).msg).toMatch(/no invites were sent/i)
  }
  expect(refused(await invite(org.other, { stream_ids: [org.cellar] })).msg).toMatch(/no invites were sent/i)
  everybodyInvites('role:administrators')
})

test('INVITE-09: The new user is added to the groups of the invitation, to which the inviter must be allowed to add members.', async () => {
  everybodyInvites('role:members')
  const wish = (by: Person) =>
    by.post('/user_groups/create', { name: fresh('g'), description: '', members: [] })
  const id = succeeded(await wish(org.member)).group_id
  const foreign = succeeded(await wish(org.other)).group_id
  const queue = await org.other.listen({ event_types: ['user_group'] })
  const person = await joined(await link(org.member, { group_ids: [id] }))
  expect(await queue.events()).toEqual([
    { type: 'user_group', op: 'add_members', group_id: id, user_ids: [person.id] },
  ])
  for (const group_ids of [[foreign], [id, foreign], [system('role:members')], [99_999]]) {
    refused(await invite(org.member, { group_ids }))
  }
  succeeded(await org.member.post(`/user_groups/${id}/deactivate`))
  refused(await invite(org.member, { group_ids: [id] }))
  everybodyInvites('role:administrators')
})

const welcomed = async (url: string) => {
  const person = await joined(url)
  const query = new URLSearchParams({
    narrow: '[["is","dm"]]',
    anchor: 'newest',
    num_before: '5',
    num_after: '0',
  })
  const { messages } = await person.get(`/messages?${query}`)
  return messages.map((one: { content: string }) => one.content)
}

test('INVITE-10: Administrators can set a welcome message for an invitation, of at most 8000 characters.', async () => {
  const text = 'Mind the **tide**.'
  expect(await welcomed(await link(org.admin, { welcome_message_custom_text: text }))).toEqual([
    '<p>Mind the <strong>tide</strong>.</p>',
  ])
  succeeded(await invite(org.admin, { welcome_message_custom_text: 'x'.repeat(8_000) }))
  refused(await invite(org.admin, { welcome_message_custom_text: 'x'.repeat(8_001) }))
})

test('INVITE-11: Without its own welcome message, an invitation uses the organization’s; an empty one sends none.', async () => {
  const { db } = org.service.workspace
  db.run(`INSERT OR REPLACE INTO realm VALUES ('welcome_message_custom_text', 'Hello from all of us.')`)
  const usual = ['<p>Hello from all of us.</p>']
  expect(await welcomed(await link(org.admin))).toEqual(usual)
  expect(await welcomed(await link(org.admin, { welcome_message_custom_text: null }))).toEqual(usual)
  expect(await welcomed(await link(org.admin, { welcome_message_custom_text: '' }))).toEqual([])
  // What anybody but an administrator writes there does not count.
  everybodyInvites('role:members')
  expect(await welcomed(await link(org.member, { welcome_message_custom_text: 'Mine' }))).toEqual(usual)
  everybodyInvites('role:administrators')
  db.run(`DELETE FROM realm WHERE name = 'welcome_message_custom_text'`)
})

test('INVITE-12: Users get an event about the new user, and subscribers of a channel get one when the new user joins it.', async () => {
  const id = await made(org.admin, { subscribers: [org.member.id] })
  const queue = await org.member.listen({ event_types: ['realm_user', 'subscription'] })
  const person = await joined(await link(org.admin, { stream_ids: [id] }))
  expect(await queue.events()).toMatchObject([
    { type: 'realm_user', op: 'add', person: { user_id: person.id, full_name: person.name, role: 400 } },
    { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [person.id] },
  ])
})

test('INVITE-13: The page asks for a name, an address and a password, and shows who invites the user and to which organization.', async () => {
  const { status, text, headers } = await visit(await link(org.admin))
  expect(status).toBe(200)
  expect(text).toContain('Join Local workspace')
  expect(text).toContain('Ada Admin invited you')
  for (const name of ['full_name', 'email', 'password']) expect(text).toContain(`name="${name}"`)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('referrer-policy')).toBe('same-origin')
})

test('INVITE-14: Invalid input is reported on the page, which keeps what was typed except the password, and no account is created.', async () => {
  const url = await link(org.admin)
  const before = succeeded(await org.admin.get('/users')).members.length
  for (const wrong of [
    { full_name: '' },
    { full_name: 'x'.repeat(101) },
    { full_name: '@all' },
    { email: 'no address' },
    { email: org.member.email },
    { password: 'short' },
    { password: 'x'.repeat(101) },
  ]) {
    const { status, text } = await join(url, newcomer(wrong))
    expect(status).toBe(400)
    expect(text).toContain('role="alert"')
  }
  const { text } = await join(url, newcomer({ full_name: 'Kept "name" <b>', password: 'tide tables' }))
  expect(text).toContain('value="Kept &quot;name&quot; &lt;b&gt;"')
  expect(text).not.toContain('tide tables')
  expect(succeeded(await org.admin.get('/users')).members).toHaveLength(before)
})

test('INVITE-15: A link that was never issued is answered with status 404.', async () => {
  const { status, text } = await visit(`${org.service.workspace.url}/join/nothing/`)
  expect(status).toBe(404)
  expect(text).toContain('Ask whoever sent it')
})

test('INVITE-16: Administrators list every invitation, other users their own, with its link until it expires.', async () => {
  everybodyInvites('role:members')
  const url = await link(org.member, { invite_expires_in_minutes: 10, invite_as: 600 })
  const now = Math.floor(org.clock.now() / 1_000)
  const entry = {
    id: expect.any(Number),
    invited_by_user_id: org.member.id,
    invited: now,
    expiry_date: now + 600,
    invited_as: 600,
    is_multiuse: true,
    link_url: url,
    notify_referrer_on_join: false,
  }
  expect(await listed(org.member)).toContainEqual(entry)
  expect(await listed(org.admin)).toContainEqual(entry)
  expect(await listed(org.other)).toEqual([])
  refused(await org.guest.get('/invites'))
  org.clock.set(org.clock.now() + 10 * minuteMs)
  expect(await listed(org.member)).not.toContainEqual(entry)
  everybodyInvites('role:administrators')
})

test('INVITE-17: The inviter and administrators can revoke an invitation, which ends it immediately.', async () => {
  everybodyInvites('role:members')
  for (const who of [org.member, org.admin]) {
    const url = await link(org.member)
    const { id } = (await listed(org.member)).at(-1)
    refused(await org.other.delete(`/invites/multiuse/${id}`))
    succeeded(await who.delete(`/invites/multiuse/${id}`))
    expect((await visit(url)).status).toBe(404)
    refused(await who.delete(`/invites/multiuse/${id}`))
  }
  refused(await org.admin.delete('/invites/multiuse/99999'))
  await link(org.owner, { invite_as: 100 })
  refused(await org.admin.delete(`/invites/multiuse/${(await listed(org.owner)).at(-1).id}`))
  everybodyInvites('role:administrators')
})

test('INVITE-18: Only administrators and the inviter get an event when the invitations change.', async () => {
  const types = { event_types: ['invites_changed'] }
  const [owner, member] = [await org.owner.listen(types), await org.member.listen(types)]
  await link(org.admin)
  expect(await owner.events()).toEqual([{ type: 'invites_changed' }])
  succeeded(await org.admin.delete(`/invites/multiuse/${(await listed(org.admin)).at(-1).id}`))
  expect(await owner.events()).toEqual([{ type: 'invites_changed' }])
  expect(await member.events()).toEqual([])
})

test('INVITE-19: The invitations of a deactivated user no longer work.', async () => {
  const gone = org.join(fresh('Gone'), 200)
  const url = await link(gone)
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  expect((await visit(url)).status).toBe(404)
})

test('INVITE-20: Channels archived and groups deactivated after the invitation was made are skipped.', async () => {
  const id = await made(org.admin)
  const { group_id } = succeeded(
    await org.admin.post('/user_groups/create', { name: fresh('g'), description: '', members: [] }),
  )
  const url = await link(org.admin, { stream_ids: [id], group_ids: [group_id] })
  succeeded(await org.admin.delete(`/streams/${id}`))
  succeeded(await org.admin.post(`/user_groups/${group_id}/deactivate`))
  const person = await joined(url)
  expect(await channelsOf(person)).toEqual([])
  succeeded(await org.admin.patch(`/user_groups/${group_id}`, { deactivated: false }))
  expect(succeeded(await org.admin.get(`/user_groups/${group_id}/members`)).members).toEqual([])
})

test('INVITE-21: Inviting to a default channel requires permission to subscribe others; inviting to a private channel requires permission to add subscribers there.', async () => {
  everybodyInvites('role:members')
  const preset = await made(org.admin)
  succeeded(await org.admin.post('/default_streams', { stream_id: preset }))
  succeeded(await invite(org.member, { stream_ids: [preset] }))
  const own = { direct_members: [org.member.id], direct_subgroups: [] }
  const closed = await made(org.owner, { invite_only: true, subscribers: [org.owner.id] })
  refused(await invite(org.admin, { stream_ids: [closed] }))
  refused(await invite(org.member, { stream_ids: [closed] }))
  succeeded(await org.owner.patch(`/streams/${closed}`, { can_add_subscribers_group: { new: own } }))
  succeeded(await invite(org.member, { stream_ids: [closed] }))
  everybodyInvites('role:administrators')
})
