import { expect, test } from 'vitest'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Answer,
  type Person,
  setRealmPermission,
} from '../../support/organization.ts'

// Who may know of whom (specification, GET /users/{user_id} and the user_list_incomplete capability).

const org = organization()
const ids = (members: Answer['body'][]) => members.map((one) => one['user_id'])

test('GUEST-01: Limited guests list bots and only the users with whom they share a channel or conversation.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const found = ids(succeeded(await org.guest.get('/users')).members)
    expect(found).toEqual(expect.arrayContaining([org.guest.id, org.member.id, org.bot.id]))
    expect(found).not.toContain(org.other.id)
    expect(ids(succeeded(await org.member.get('/users')).members)).toContain(org.other.id)
  })
  expect(ids(succeeded(await org.guest.get('/users')).members)).toContain(org.other.id)
})

test('GUEST-02: A user hidden from a guest is rejected exactly as a user who does not exist.', async () => {
  await org.whileGuestsAreLimited(async () => {
    const answer = refused(await org.guest.get(`/users/${org.other.id}`))
    expect(refused(await org.guest.get('/users/99999'))).toEqual(answer)
    succeeded(await org.guest.get(`/users/${org.member.id}`))
    succeeded(await org.other.get(`/users/${org.guest.id}`))
  })
})

test('GUEST-03: A conversation makes its participants visible to a guest.', async () => {
  const friend = org.join(fresh('Friend'))
  await org.whileGuestsAreLimited(async () => {
    refused(await org.guest.get(`/users/${friend.id}`))
    await friend.send([org.guest], '', 'Hello')
    succeeded(await org.guest.get(`/users/${friend.id}`))
  })
})

test('GUEST-05: A guest cannot reach a hidden user by id in any request.', async () => {
  const { guest, member } = org
  const hidden = org.join(fresh('Hidden'))
  const bot = org.joinBot(fresh('Helper'), guest)
  const absent = 99_999
  const { id: field } = succeeded(
    await org.owner.post('/realm/profile_fields', { name: fresh('Mentor'), field_type: 6 }),
  )
  const requests: ((id: number) => Promise<Answer>)[] = [
    (id) => guest.post('/typing', { op: 'start', type: 'direct', to: [id] }),
    (id) => guest.post('/messages', { type: 'direct', to: [id], content: 'Hello' }),
    (id) =>
      guest.post('/scheduled_messages', {
        ...{ type: 'direct', to: [id], content: 'Hello' },
        scheduled_delivery_timestamp: Math.floor(org.clock.now() / 1000) + 3_600,
      }),
    (id) => guest.delete('/users/me/subscriptions', { subscriptions: ['lobby'], principals: [id] }),
    (id) => guest.get(`/users/${id}/subscriptions/${org.lobby}`),
    (id) => guest.patch(`/bots/${bot.id}`, { bot_owner_id: id }),
    (id) => guest.post('/drafts', { drafts: [{ type: 'private', to: [id], topic: '', content: 'Hello' }] }),
    ...['sender', 'dm', 'dm-including'].map(
      (operator) => (id: number) =>
        guest.get('/messages', {
          ...{ anchor: 'newest', num_before: 1, num_after: 0 },
          narrow: [{ operator, operand: operator === 'dm' ? [id] : id }],
        }),
    ),
    (id) => guest.patch('/users/me/profile_data', { data: [{ id: field, value: [id] }] }),
  ]
  await org.whileGuestsAreLimited(async () => {
    const heard = await guest.listen({ event_types: ['typing', 'realm_user'] })
    for (const request of requests) {
      const { body } = await request(absent)
      const { msg } = refused(await request(hidden.id), body['code'])
      expect(msg).toBe(body['msg'].replaceAll(String(absent), String(hidden.id)))
    }
    expect(await heard.events()).toEqual([])
    for (const mark of [`@**|${hidden.id}**`, `@**${hidden.name}**`, `@**${hidden.name}|${hidden.id}**`]) {
      const { rendered } = succeeded(await guest.post('/messages/render', { content: mark }))
      expect(rendered).toBe(`<p>${mark}</p>`)
    }
    const known = succeeded(await guest.post('/messages/render', { content: `@**|${member.id}**` }))
    expect(known.rendered).toContain(`@${member.name}`)
    await guest.send([member], '', 'Hello')
    succeeded(await guest.post('/typing', { op: 'start', type: 'direct', to: [member.id] }))
  })
})

test('GUEST-06: A guest gets no typing events from users who are not visible to them.', async () => {
  const stranger = org.join(fresh('Stranger'))
  await org.whileGuestsAreLimited(async () => {
    const heard = await org.guest.listen({ event_types: ['typing'] })
    const types = () => stranger.post('/typing', { op: 'start', type: 'direct', to: [org.guest.id] })
    succeeded(await types())
    expect(await heard.events()).toEqual([])
    await stranger.send([org.guest], '', 'Hello')
    succeeded(await types())
    expect(await heard.events()).toMatchObject([{ sender: { user_id: stranger.id } }])
    // The other member is not in #lobby, but may write there.
    const inLobby = (who: Person) =>
      who.post('/typing', { op: 'start', type: 'channel', stream_id: org.lobby, topic: 'chat' })
    succeeded(await inLobby(org.other))
    expect(await heard.events()).toEqual([])
    succeeded(await inLobby(org.member))
    expect(await heard.events()).toMatchObject([{ sender: { user_id: org.member.id } }])
  })
})

test('GUEST-04: The answer to a registration states what the user may do in the organization, according to its permissions.', async () => {
  const said = async (who: Person) => {
    const { state } = await who.register({ fetch_event_types: ['realm_user'] })
    const { can_create_public_streams, can_create_private_streams, can_invite_others_to_realm } = state
    return [can_create_public_streams, can_create_private_streams, can_invite_others_to_realm]
  }
  expect(await said(org.member)).toEqual([true, true, true])
  expect(await said(org.guest)).toEqual([false, false, false])
  const { db } = org.service.workspace
  setRealmPermission(db, 'can_create_public_channel_group', systemGroupId(db, 'role:moderators'))
  setRealmPermission(db, 'can_invite_users_group', systemGroupId(db, 'role:administrators'))
  expect(await said(org.member)).toEqual([false, true, false])
  expect(await said(org.moderator)).toEqual([true, true, false])
})
