import { expect, test } from 'vitest'
import {
  fresh,
  organization,
  refused,
  succeeded,
  type Answer,
  type Person,
} from '../../support/organization.ts'

// What a permission in a channel opens, and what it does not (specification, Channel permissions).

const org = organization()

const only = (...people: readonly Person[]) => ({
  direct_members: people.map(({ id }) => id),
  direct_subgroups: [],
})
/** A channel of the owner and the member with a message in it, where a permission is somebody's. */
async function channelWhere(setting: string, holder: Person, fields: object = { invite_only: true }) {
  const name = fresh('closed')
  const { id } = succeeded(
    await org.owner.post('/channels/create', {
      name,
      subscribers: [org.owner.id, org.member.id],
      [setting]: only(org.owner, holder),
      ...fields,
    }),
  )
  return { id: id as number, name, message: await org.member.send(id, 'Inside', 'Only for some') }
}
const inChannel = (who: Person, id: number, ...more: object[]): Promise<Answer> =>
  who.get('/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: id }, ...more],
  })
const join = (who: Person, name: string, ...people: readonly Person[]) =>
  who.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    ...(people.length === 0 ? {} : { principals: people.map(({ id }) => id) }),
  })

test('ACCESS-01: A user who may subscribe to a private channel, or add subscribers to it, can see and read it.', async () => {
  for (const setting of ['can_subscribe_group', 'can_add_subscribers_group']) {
    const shared = { invite_only: true, history_public_to_subscribers: true }
    const { id, message } = await channelWhere(setting, org.other, shared)
    succeeded(await org.other.get(`/streams/${id}`))
    expect(succeeded(await inChannel(org.other, id)).messages.at(-1)).toMatchObject({ id: message })
    succeeded(await org.other.get(`/messages/${message}`))
    refused(await org.moderator.get(`/streams/${id}`))
    refused(await org.moderator.get(`/messages/${message}`))
    // They write in it too, unless its history is protected.
    await org.other.send(id, 'Inside', 'From outside')
    const protectedOne = await channelWhere(setting, org.other, {
      ...shared,
      history_public_to_subscribers: false,
    })
    const words = { type: 'stream', to: protectedOne.id, topic: 'Inside', content: 'From outside' }
    refused(await org.other.post('/messages', words))
    succeeded(await org.member.post('/messages', words))
  }
})

test('ACCESS-02: A user who may only administer a private channel can see it, but not read its messages.', async () => {
  const { id, message } = await channelWhere('can_administer_channel_group', org.other)
  succeeded(await org.other.get(`/streams/${id}`))
  succeeded(await org.other.patch(`/streams/${id}`, { description: 'By somebody outside' }))
  expect(succeeded(await inChannel(org.other, id)).messages).toEqual([])
  refused(await org.other.get(`/messages/${message}`))
})

test('ACCESS-03: Changes to a channel are sent to all users who may know of it, and to no others.', async () => {
  const heard = async (who: Person, id: number) => {
    const queue = await who.listen({ event_types: ['stream'], fetch_event_types: [] })
    succeeded(await org.owner.patch(`/streams/${id}`, { description: fresh('About it') }))
    return (await queue.events()).length
  }
  for (const setting of [
    'can_subscribe_group',
    'can_add_subscribers_group',
    'can_administer_channel_group',
  ] as const) {
    const { id } = await channelWhere(setting, org.other)
    expect({ setting, heard: await heard(org.other, id) }).toEqual({ setting, heard: 1 })
    expect({ setting, heard: await heard(org.moderator, id) }).toEqual({ setting, heard: 0 })
    expect({ setting, heard: await heard(org.admin, id) }).toEqual({ setting, heard: 1 })
  }
  const open = await channelWhere('can_subscribe_group', org.other, {})
  expect(await heard(org.guest, open.id)).toBe(0)
  const web = await channelWhere('can_subscribe_group', org.other, { is_web_public: true })
  expect(await heard(org.guest, web.id)).toBe(1)
})

test('ACCESS-04: A guest gains no permission that cannot be granted to everyone, even when named explicitly.', async () => {
  const names = ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group']
  for (const setting of names) {
    const { id, message } = await channelWhere(setting, org.guest)
    const queue = await org.guest.listen({ event_types: ['stream'], fetch_event_types: [] })
    refused(await org.guest.get(`/streams/${id}`))
    refused(await org.guest.get(`/messages/${message}`))
    succeeded(await org.owner.patch(`/streams/${id}`, { description: fresh('About it') }))
    expect({ setting, heard: await queue.events() }).toEqual({ setting, heard: [] })
  }
})

test('ACCESS-05: A user who administers a channel they can read can add subscribers, whatever the organization’s setting; a user cannot remove subscribers from a channel they cannot see.', async () => {
  const { id, name } = await channelWhere('can_administer_channel_group', org.member)
  const anywhere = (value: unknown) =>
    org.owner.patch('/realm', { can_add_subscribers_group: { new: value } })
  succeeded(await anywhere(only(org.owner)))
  succeeded(await join(org.member, name, org.moderator))
  const foreign = await channelWhere('can_administer_channel_group', org.other)
  expect((await join(org.other, foreign.name, org.moderator)).status).toBe(400)
  const { state } = await org.owner.register({ fetch_event_types: ['realm_user_groups'] })
  const members = state.realm_user_groups.find((one: { name: string }) => one.name === 'role:members').id
  succeeded(await anywhere(members))
  succeeded(
    await org.owner.patch(`/streams/${id}`, { can_remove_subscribers_group: { new: only(org.other) } }),
  )
  const out = (who: Person) =>
    who.delete('/users/me/subscriptions', { subscriptions: [name], principals: [org.moderator.id] })
  expect((await out(org.other)).status).toBe(400)
  expect(succeeded(await org.owner.get(`/streams/${id}/members`)).subscribers).toContain(org.moderator.id)
  succeeded(await join(org.owner, name, org.other))
  succeeded(await out(org.other))
  expect(succeeded(await org.owner.get(`/streams/${id}/members`)).subscribers).not.toContain(org.moderator.id)
})
