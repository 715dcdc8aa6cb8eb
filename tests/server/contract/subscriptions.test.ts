import { dayMs } from '../../../src-shared/durations.ts'
import { expect, test } from 'vitest'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import {
  allCapabilities,
  fresh,
  organization,
  refused,
  succeeded,
  setRealmPermission,
} from '../../support/organization.ts'
import type { Fields, Person } from '../../support/organization.ts'

// Coming into channels, leaving them, and the own settings for them
// (specification, POST /users/me/subscriptions/properties and Events).

const org = organization()
const only = (...people: Person[]) => ({ direct_members: people.map((one) => one.id), direct_subgroups: [] })

const made = async (by: Person, fields: Fields = {}): Promise<{ id: number; name: string }> => {
  const name = fresh('channel')
  const answer = await by.post('/channels/create', { name, subscribers: [], ...fields })
  return { id: succeeded(answer).id, name }
}
const own = async (who: Person, id: number) =>
  succeeded(await who.get('/users/me/subscriptions')).subscriptions.find(
    (one: { stream_id: number }) => one.stream_id === id,
  )
const change = (who: Person, stream_id: number, property: string, value: unknown) =>
  who.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] })
const subscribe = (who: Person, name: string, fields: Fields = {}) =>
  who.post('/users/me/subscriptions', { subscriptions: [{ name }], ...fields })
const unsubscribe = (who: Person, name: string, fields: Fields = {}) =>
  who.delete('/users/me/subscriptions', { subscriptions: [name], ...fields })
const ofSubscriptions = { event_types: ['subscription'] }

test('SUB-01: Changing one of seven of the nine properties sends one event.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  const queue = await org.member.listen(ofSubscriptions)
  for (const [property, value] of [
    ['color', '#a1b2c3'],
    ['pin_to_top', true],
    ['desktop_notifications', false],
    ['audible_notifications', true],
    ['push_notifications', true],
    ['email_notifications', false],
    ['wildcard_mentions_notify', false],
  ] as const) {
    succeeded(await change(org.member, id, property, value))
    expect(await queue.events()).toEqual([
      { type: 'subscription', op: 'update', stream_id: id, property, value },
    ])
    expect(await own(org.member, id)).toMatchObject({ [property]: value })
  }
})

const mutings = [
  ['is_muted', true, true],
  ['in_home_view', true, false],
  ['in_home_view', false, true],
  ['is_muted', false, false],
] as const
test('SUB-02: Muting, by is_muted or its older inverse, sends two events.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  const queue = await org.member.listen(ofSubscriptions)
  for (const [property, value, isMuted] of mutings) {
    succeeded(await change(org.member, id, property, value))
    expect(await queue.events()).toEqual([
      { type: 'subscription', op: 'update', stream_id: id, property: 'in_home_view', value: !isMuted },
      { type: 'subscription', op: 'update', stream_id: id, property: 'is_muted', value: isMuted },
    ])
    expect(await own(org.member, id)).toMatchObject({ is_muted: isMuted, in_home_view: !isMuted })
  }
})

test('SUB-03: A colour is #rgb or #rrggbb; every other property is true or false.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  succeeded(await change(org.member, id, 'color', '#abc'))
  for (const color of ['red', '#12', '#12345', '', true, '#ggg']) {
    refused(await change(org.member, id, 'color', color))
  }
  for (const property of ['is_muted', 'in_home_view', 'pin_to_top', 'desktop_notifications']) {
    for (const value of ['true', '#abc', 1, null]) refused(await change(org.member, id, property, value))
  }
})

test('SUB-04: An unknown property, channel or subscription is rejected, and nothing in the request is applied.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  const queue = await org.member.listen(ofSubscriptions)
  for (const wrong of [
    { stream_id: id, property: 'name', value: true },
    { stream_id: 99_999, property: 'is_muted', value: true },
    { stream_id: (await made(org.owner)).id, property: 'is_muted', value: true },
    { stream_id: id, property: 'is_muted' },
  ]) {
    const subscription_data = [{ stream_id: id, property: 'pin_to_top', value: true }, wrong]
    refused(await org.member.post('/users/me/subscriptions/properties', { subscription_data }))
  }
  refused(await org.member.post('/users/me/subscriptions/properties', {}), 'REQUEST_VARIABLE_MISSING')
  expect(await own(org.member, id)).toMatchObject({ pin_to_top: false })
  expect(await queue.events()).toEqual([])
})

test('SUB-05: Channel settings of one user do not affect other users.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id, org.other.id] })
  const queue = await org.other.listen(ofSubscriptions)
  succeeded(await change(org.member, id, 'pin_to_top', true))
  expect(await own(org.other, id)).toMatchObject({ pin_to_top: false })
  expect(await queue.events()).toEqual([])
})

test('SUB-06: Notification properties that were never set are null and follow the user’s settings.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  expect(await own(org.member, id)).toMatchObject({
    is_muted: false,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
  })
})

test('SUB-07: One property of one channel can be changed at the address of the subscription.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  const at = `/users/me/subscriptions/${id}`
  succeeded(await org.member.patch(at, { property: 'is_muted', value: true }))
  expect(await own(org.member, id)).toMatchObject({ is_muted: true })
  refused(await org.member.patch(at, { property: 'nothing', value: true }))
})

test('SUB-08: A parameter beside subscription_data is listed as ignored, and the data is not repeated.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  const subscription_data = [{ stream_id: id, property: 'pin_to_top', value: true }]
  const answer = await org.member.post('/users/me/subscriptions/properties', { subscription_data, more: 1 })
  expect(succeeded(answer)).toEqual({
    result: 'success',
    msg: '',
    ignored_parameters_unsupported: ['more'],
  })
})

test('SUB-09: A new subscriber gets the whole channel with its subscribers; other users get an event with the new subscriber.', async () => {
  const { id, name } = await made(org.owner, { subscribers: [org.owner.id] })
  const [member, other] = [await org.member.listen(ofSubscriptions), await org.other.listen(ofSubscriptions)]
  expect(succeeded(await subscribe(org.member, name))).toMatchObject({
    subscribed: { [org.member.id]: [name] },
    already_subscribed: {},
  })
  expect(await member.events()).toMatchObject([
    {
      type: 'subscription',
      op: 'add',
      subscriptions: [{ stream_id: id, name, subscribers: [org.owner.id, org.member.id] }],
    },
  ])
  expect(await other.events()).toEqual([
    { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [org.member.id] },
  ])
  expect(succeeded(await subscribe(org.member, name))).toMatchObject({
    subscribed: {},
    already_subscribed: { [org.member.id]: [name] },
  })
  expect(await member.events()).toEqual([])
})

test('SUB-10: Unsubscribing sends an event to the user and marks all messages as read; other users get an event too.', async () => {
  const { id, name } = await made(org.owner, { subscribers: [org.owner.id, org.member.id] })
  const messages = [await org.owner.send(id, 'Unread', 'one'), await org.owner.send(id, 'Unread', 'two')]
  const [member, other] = [
    await org.member.listen({ event_types: ['subscription', 'update_message_flags'] }),
    await org.other.listen(ofSubscriptions),
  ]
  expect(succeeded(await unsubscribe(org.member, name))).toMatchObject({ removed: [name], not_removed: [] })
  expect(await member.events()).toEqual([
    { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name }] },
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages, all: false },
  ])
  for (const message of messages)
    expect(succeeded(await org.member.get(`/messages/${message}`)).message.flags).toEqual(['read'])
  expect(await other.events()).toEqual([
    { type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [org.member.id] },
  ])
  expect(succeeded(await unsubscribe(org.member, name))).toMatchObject({ removed: [], not_removed: [name] })
})

test('SUB-11: Subscribing again restores the user’s earlier settings.', async () => {
  const { id, name } = await made(org.owner, { subscribers: [org.member.id] })
  succeeded(await change(org.member, id, 'color', '#123456'))
  succeeded(await unsubscribe(org.member, name))
  succeeded(await subscribe(org.member, name))
  expect(await own(org.member, id)).toMatchObject({ color: '#123456' })
})

test('SUB-12: A channel that does not exist is created with the settings in the request; an existing channel keeps its own.', async () => {
  const name = fresh('made')
  const subscriptions = [{ name, description: 'Made by subscribing', color: '#123456' }]
  const answer = await org.member.post('/users/me/subscriptions', { subscriptions, invite_only: true })
  expect(succeeded(answer).subscribed).toEqual({ [org.member.id]: [name] })
  const { stream_id } = succeeded(await org.member.get('/get_stream_id', { stream: name }))
  expect(await own(org.member, stream_id)).toMatchObject({
    description: 'Made by subscribing',
    invite_only: true,
    color: '#123456',
    creator_id: org.member.id,
  })
  succeeded(await subscribe(org.member, name, { invite_only: false }))
  expect(await own(org.member, stream_id)).toMatchObject({ invite_only: true })
})

test('SUB-13: Other users are named by id or address, and can be subscribed by users with the permission.', async () => {
  const { name } = await made(org.owner)
  const both = succeeded(await subscribe(org.member, name, { principals: [org.other.id, org.moderator.id] }))
  expect(both.subscribed).toEqual({ [org.other.id]: [name], [org.moderator.id]: [name] })
  expect(succeeded(await subscribe(org.member, name, { principals: [org.admin.email] })).subscribed).toEqual({
    [org.admin.id]: [name],
  })
  for (const principals of [[99_999], ['nobody@example.org'], [org.other.id, 99_999]]) {
    refused(await subscribe(org.member, name, { principals }))
  }
})

test('SUB-14: Guests can subscribe neither themselves nor other users.', async () => {
  const { name } = await made(org.owner, { is_web_public: true })
  refused(await subscribe(org.guest, name))
  refused(await subscribe(org.guest, fresh('new')))
})

test('SUB-15: Channels the user cannot join fail the request, or are listed if authorization_errors_fatal is false.', async () => {
  const secret = await made(org.owner, { invite_only: true, subscribers: [org.owner.id] })
  const open = await made(org.owner)
  const subscriptions = [{ name: secret.name }, { name: open.name }]
  refused(await org.other.post('/users/me/subscriptions', { subscriptions }))
  expect(await own(org.other, open.id)).toBeUndefined()
  const answer = await org.other.post('/users/me/subscriptions', {
    subscriptions,
    authorization_errors_fatal: false,
  })
  expect(succeeded(answer)).toMatchObject({
    subscribed: { [org.other.id]: [open.name] },
    unauthorized: [secret.name],
  })
})

test('SUB-16: can_subscribe_group allows joining a private channel; can_add_subscribers_group allows adding other users.', async () => {
  const { name } = await made(org.owner, {
    invite_only: true,
    subscribers: [org.owner.id],
    can_subscribe_group: only(org.member),
    can_add_subscribers_group: only(org.moderator),
  })
  refused(await subscribe(org.other, name))
  succeeded(await subscribe(org.member, name))
  expect(succeeded(await subscribe(org.moderator, name, { principals: [org.other.id] })).subscribed).toEqual({
    [org.other.id]: [name],
  })
})

test('SUB-17: Administrators and users with the permission can remove other users; an owner can remove their own bots.', async () => {
  const { id, name } = await made(org.owner, {
    subscribers: [org.member.id, org.other.id, org.bot.id, org.moderator.id],
  })
  refused(await unsubscribe(org.member, name, { principals: [org.other.id] }))
  succeeded(await unsubscribe(org.member, name, { principals: [org.bot.id] }))
  succeeded(await unsubscribe(org.admin, name, { principals: [org.other.id] }))
  refused(await unsubscribe(org.member, name, { principals: [org.moderator.id] }))
  const administrators = systemGroupId(org.service.workspace.db, 'role:administrators')
  succeeded(
    await org.owner.patch(`/streams/${id}`, {
      can_remove_subscribers_group: { new: only(org.member), old: administrators },
    }),
  )
  succeeded(await unsubscribe(org.member, name, { principals: [org.moderator.id] }))
})

test('SUB-18: A missing or hidden channel cannot be left, and nothing in the request is applied.', async () => {
  const { id, name } = await made(org.owner, { subscribers: [org.other.id] })
  const secret = await made(org.owner, { invite_only: true })
  for (const strange of ['nowhere', secret.name]) {
    refused(await org.other.delete('/users/me/subscriptions', { subscriptions: [name, strange] }))
  }
  expect(await own(org.other, id)).toMatchObject({ name })
})

test('SUB-19: One request can add and remove subscriptions, and is checked before anything is applied.', async () => {
  const [first, second] = [await made(org.owner, { subscribers: [org.member.id] }), await made(org.owner)]
  const wish = { add: [{ name: second.name }], delete: [first.name] }
  refused(await org.member.patch('/users/me/subscriptions', {}))
  refused(await org.member.patch('/users/me/subscriptions', { ...wish, delete: ['nowhere'] }))
  expect(await own(org.member, second.id)).toBeUndefined()
  expect(succeeded(await org.member.patch('/users/me/subscriptions', wish))).toMatchObject({
    subscribed: { [org.member.id]: [second.name] },
    already_subscribed: {},
    removed: [first.name],
    not_removed: [],
  })
})

test('SUB-20: Subscriptions are listed with all subscribers, with none, or in large channels only with bots and recently active users.', async () => {
  const people = Array.from({ length: 250 }, (_, index) => org.join(`Crowd ${index}`))
  const { id } = await made(org.owner, { subscribers: [org.bot.id, ...people.map((one) => one.id)] })
  const lively = people[3] as Person
  succeeded(await lively.post('/users/me/presence', { status: 'active' }))
  const of = async (include_subscribers: string) => {
    const { subscriptions } = succeeded(await lively.get('/users/me/subscriptions', { include_subscribers }))
    return subscriptions.find((one: { stream_id: number }) => one.stream_id === id)
  }
  expect(await of('false')).not.toHaveProperty('subscribers')
  expect((await of('true')).subscribers).toHaveLength(251)
  const partial = await of('partial')
  expect(partial).not.toHaveProperty('subscribers')
  expect(partial.partial_subscribers).toEqual([org.bot.id, lively.id])
  org.clock.set(org.clock.now() + 15 * dayMs)
  expect((await of('partial')).partial_subscribers).toEqual([org.bot.id])
})

test('SUB-21: Whether a user is subscribed is available to users who can see the channel.', async () => {
  const { id } = await made(org.owner, { subscribers: [org.member.id] })
  const at = (who: Person) => `/users/${who.id}/subscriptions/${id}`
  expect(succeeded(await org.other.get(at(org.member))).is_subscribed).toBe(true)
  expect(succeeded(await org.member.get(at(org.other))).is_subscribed).toBe(false)
  refused(await org.guest.get(at(org.member)))
  refused(await org.other.get(`/users/99999/subscriptions/${id}`))
})

test('SUB-22: Events for subscriptions of archived channels go only to clients that support those channels.', async () => {
  const { id, name } = await made(org.owner, { subscribers: [org.owner.id, org.member.id] })
  succeeded(await org.owner.delete(`/streams/${id}`))
  const old = await org.member.listen({
    ...ofSubscriptions,
    client_capabilities: { ...allCapabilities, archived_channels: false },
  })
  const today = await org.member.listen(ofSubscriptions)
  succeeded(await unsubscribe(org.member, name))
  expect(await old.events()).toEqual([])
  expect(await today.events()).toMatchObject([{ op: 'remove' }])
})

test('SUB-23: On joining a private channel, the channel event comes before the subscription event; on leaving, after it.', async () => {
  const { id, name } = await made(org.owner, { invite_only: true, subscribers: [org.owner.id] })
  const queue = await org.other.listen({ event_types: ['stream', 'subscription'] })
  succeeded(await subscribe(org.owner, name, { principals: [org.other.id] }))
  expect(await queue.events()).toMatchObject([
    { type: 'stream', op: 'create', streams: [{ stream_id: id }] },
    { type: 'subscription', op: 'add' },
  ])
  succeeded(await unsubscribe(org.other, name))
  expect(await queue.events()).toMatchObject([
    { type: 'subscription', op: 'remove' },
    { type: 'stream', op: 'delete', stream_ids: [id] },
  ])
})

test('SUB-24: Deactivated users cannot be subscribed, and subscribing others without the permission is rejected with a message.', async () => {
  const { name } = await made(org.owner)
  const gone = org.join(fresh('Gone'))
  succeeded(await org.owner.delete(`/users/${gone.id}`))
  refused(await subscribe(org.member, name, { principals: [org.other.id, gone.id] }))
  const { db } = org.service.workspace
  setRealmPermission(db, 'can_add_subscribers_group', systemGroupId(db, 'role:administrators'))
  const { msg } = refused(await subscribe(org.member, name, { principals: [org.other.id] }))
  expect(msg).toBe('Insufficient permission')
  setRealmPermission(db, 'can_add_subscribers_group', systemGroupId(db, 'role:members'))
  succeeded(await subscribe(org.member, name, { principals: [org.other.id] }))
})
