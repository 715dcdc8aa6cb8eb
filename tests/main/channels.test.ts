import { expect, test } from 'vitest'
import { channelId, userId as asUserId, type ChannelId } from '../../src-shared/ids.ts'
import { channelColors, channelColorValues } from '../../src-shared/model/channel-color.ts'
import { nearestColor } from '../../src-main/queries/channel-color.ts'
import { systemGroupId } from '../../src-server/permissions/groups.ts'
import { deviceInOrganization } from '../support/organization-device.ts'
import { succeeded, setRealmPermission } from '../support/organization.ts'

// A person joins and leaves channels and changes their settings for them, online and offline.

let made = 0
/** Created before the device registered: the device knows none of its subscribers. */
let earlier: ChannelId

const here = deviceInOrganization('member', async ({ owner }) => {
  earlier = channelId(
    succeeded(await owner.post('/channels/create', { name: 'earlier', subscribers: [owner.id] })).id,
  )
})
const { account, act, titles, empty, refusals, offline, online } = here
const join = (id: ChannelId) => act({ name: 'subscribe', channelId: id })
const leave = (id: ChannelId) => act({ name: 'unsubscribe', channelId: id })
const set = (
  id: ChannelId,
  property: 'muted' | 'pinned' | 'color' | 'desktop' | 'sound' | 'email' | 'push' | 'wildcardMentions',
  value: boolean | null | 'moss' | 'plum' | 'sky',
) => act({ name: 'set-subscription', channelId: id, property, value })
const channel = (id: ChannelId) => here.device.ask('channel', { ...account(), channelId: id })
/** The subscription on the server; undefined if the person is not in the channel. */
const onServer = async (id: ChannelId): Promise<Record<string, unknown> | undefined> =>
  succeeded(await here.org.member.get('/users/me/subscriptions')).subscriptions.find(
    (one: { stream_id: number }) => one.stream_id === id,
  )
const sidebarNames = async () =>
  (await here.device.ask('sidebar', account())).folders.flatMap(({ channels }) =>
    channels.map(({ name }) => name),
  )

/** A channel that another person creates, here and on the server. */
async function newChannel(withMember: boolean, fields: Record<string, unknown> = {}): Promise<ChannelId> {
  const subscribers = withMember ? [here.org.owner.id, here.org.member.id] : [here.org.owner.id]
  const answer = await here.org.owner.post('/channels/create', {
    name: `place ${++made}`,
    subscribers,
    ...fields,
  })
  const id = channelId(succeeded(answer).id)
  if (withMember || fields['invite_only'] !== true)
    await here.device.until('channel', { ...account(), channelId: id }, (value) => value !== null)
  return id
}
const nameOf = async (id: ChannelId) => (await channel(id))?.name ?? ''

test('a channel is joined at once, gets its history, and is left again', async () => {
  const id = await newChannel(false)
  await here.org.owner.send(id, 'ebb', 'written before')
  const before = (await channel(id))?.subscriberCount
  await join(id)
  expect(await channel(id)).toMatchObject({ isSubscribed: true, subscriberCount: (before ?? 0) + 1 })
  expect(await sidebarNames()).toContain(await nameOf(id))
  await empty()
  expect(await onServer(id)).toBeDefined()
  const feed = { ...account(), narrow: { kind: 'channel', channelId: id } as const }
  await here.device.until('feed', { ...feed, around: 'newest', before: 9, after: 0 }, ({ messages }) =>
    messages.some(({ contentHtml }) => contentHtml.includes('written before')),
  )
  expect((await channel(id))?.subscriberCount).toBe((before ?? 0) + 1)

  await leave(id)
  expect(await channel(id)).toMatchObject({ isSubscribed: false, subscriberCount: before })
  await empty()
  expect(await onServer(id)).toBe(undefined)
  expect(await channel(id)).toMatchObject({ isSubscribed: false, subscriberCount: before })
})

test('without the server channels change at once, survive a restart, and the server learns of it', async () => {
  const [fresh, own] = [await newChannel(false), await newChannel(true)]
  await offline()
  await join(fresh)
  await set(fresh, 'muted', true)
  await set(fresh, 'desktop', true)
  await leave(own)
  await here.device.restart()
  expect(await channel(fresh)).toMatchObject({
    isSubscribed: true,
    isMuted: true,
    notifications: { desktop: true, sound: null },
  })
  expect(await channel(own)).toMatchObject({ isSubscribed: false })
  const [freshName, ownName] = [await nameOf(fresh), await nameOf(own)]
  expect(await titles()).toEqual([
    `#${freshName} joined`,
    `#${freshName} muted`,
    `Notifications of #${freshName}`,
    `#${ownName} left`,
  ])
  await online()
  await empty()
  expect(await onServer(fresh)).toMatchObject({ is_muted: true, desktop_notifications: true })
  expect(await onServer(own)).toBe(undefined)
  expect(await channel(fresh)).toMatchObject({ isSubscribed: true, isMuted: true })
})

test('opposites that never left leave nothing, and of many values the last is sent', async () => {
  const [own, fresh, between] = [await newChannel(true), await newChannel(false), await newChannel(false)]
  await offline()
  await leave(own)
  await join(own)
  await join(fresh)
  await leave(fresh)
  await set(own, 'muted', true)
  await set(own, 'color', 'moss')
  await set(own, 'muted', false)
  await set(own, 'color', 'plum')
  await set(own, 'pinned', true)
  await set(own, 'color', 'sky')
  // No change: it is already pinned.
  await set(own, 'pinned', true)
  // The setting in between does not prevent the merge: a channel that one is not in needs none.
  await join(between)
  await set(between, 'muted', true)
  await leave(between)
  const name = await nameOf(own)
  expect(await titles()).toEqual([`Colour of #${name}`, `#${name} pinned`, `#${await nameOf(between)} muted`])
  expect(await channel(own)).toMatchObject({ isSubscribed: true, isMuted: false, color: 'sky' })
  expect(await channel(fresh)).toMatchObject({ isSubscribed: false })
  await online()
  await empty()
  expect(await onServer(own)).toMatchObject({ color: channelColorValues.sky, pin_to_top: true })
  expect(await onServer(fresh)).toBe(undefined)
  expect(await onServer(between)).toBe(undefined)
  expect(await channel(between)).toMatchObject({ isSubscribed: false })
})

test('a channel that is not open is not joined, and told why', async () => {
  const id = await newChannel(false, { invite_only: true, can_administer_channel_group: here.org.member.id })
  // A channel's administrator knows of it; that alone does not let them join.
  succeeded(
    await here.org.owner.patch(`/streams/${id}`, {
      can_administer_channel_group: { new: { direct_members: [here.org.member.id], direct_subgroups: [] } },
    }),
  )
  await here.device.until('channel', { ...account(), channelId: id }, (value) => value !== null)
  await join(id)
  const [item] = await here.device.until('outbox', account(), ([first]) => first?.state.state === 'refused')
  expect(item?.state.reason).toBe(`Not joined. Someone in #${await nameOf(id)} has to add you.`)
  await here.device.until(
    'channel',
    { ...account(), channelId: id },
    (value) => value?.isSubscribed === false && value.subscriberCount === 1,
  )
  await here.device.bridge.call('discard-outbox-item', { ...account(), localId: item?.localId ?? '' })
})

test('who leaves a private channel cannot write there any more, and who is back can', async () => {
  const id = await newChannel(true, { invite_only: true })
  const canPost = async () => (await channel(id))?.canPost
  expect(await canPost()).toBe(true)
  await offline()
  await leave(id)
  expect(await canPost()).toBe(false)
  await join(id)
  expect(await canPost()).toBe(true)
  await online()
  await empty()
})

test('what changed meanwhile is respected: nothing is created anew under an old name', async () => {
  const [archived, gone, renamed, left] = [
    await newChannel(false),
    await newChannel(false),
    await newChannel(false),
    await newChannel(true),
  ]
  const before = await nameOf(renamed)
  const names = [await nameOf(archived), await nameOf(gone)]
  await offline()
  await join(archived)
  await join(gone)
  await join(renamed)
  // The person is no longer in a channel that is gone, so leaving it succeeds.
  await leave(left)
  here.org.service.database.run('UPDATE channels SET is_private = 1 WHERE channel_id = ?', left)
  here.org.service.database.run('DELETE FROM subscriptions WHERE channel_id = ?', left)
  here.org.service.database.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', archived)
  here.org.service.database.run('UPDATE channels SET is_private = 1 WHERE channel_id = ?', gone)
  here.org.service.database.run(
    'UPDATE channels SET name = ? WHERE channel_id = ?',
    'renamed meanwhile',
    renamed,
  )
  await online()
  const items = await here.device.until(
    'outbox',
    account(),
    (all) => all.length === 2 && all.every(({ state }) => state.state === 'refused'),
  )
  expect(items.map(({ state }) => state.reason)).toEqual([
    `Not joined. #${names[0]} is archived.`,
    'Not joined. The channel is gone, or you no longer have access to it.',
  ])
  for (const { localId } of items)
    await here.device.bridge.call('discard-outbox-item', { ...account(), localId })
  expect(await onServer(renamed)).toMatchObject({ name: 'renamed meanwhile' })
  const { streams } = succeeded(await here.org.owner.get('/streams', { include_all_active: true }))
  expect(streams.map(({ name }: { name: string }) => name)).not.toContain(before)
})

test('of people too: nobody is put into a channel that is another one now, and who is in none is out', async () => {
  const { other, owner, service } = here.org
  const [archived, gone, closed] = [await newChannel(false), await newChannel(false), await newChannel(true)]
  const names = [await nameOf(archived), await nameOf(gone), await nameOf(closed)]
  const put = (id: ChannelId, on = true, userId = other.id) =>
    act({ name: 'set-channel-member', channelId: id, userId, on })
  await offline()
  await put(archived)
  await put(gone)
  await put(gone, false, owner.id)
  await put(closed)
  const { database } = service
  database.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', archived)
  database.run('UPDATE channels SET is_private = 1 WHERE channel_id = ?', gone)
  setRealmPermission(database, 'can_add_subscribers_group', systemGroupId(database, 'role:owners'))
  await online()
  expect(await refusals(3)).toEqual([
    `Not added. #${names[0]} is archived.`,
    'Not added. The channel is gone, or you no longer have access to it.',
    `Not added. You can no longer add people to #${names[2]}.`,
  ])
  setRealmPermission(database, 'can_add_subscribers_group', systemGroupId(database, 'role:members'))
  const { streams } = succeeded(await owner.get('/streams', { include_all: true, exclude_archived: false }))
  expect(streams.filter(({ name }: { name: string }) => names.includes(name))).toHaveLength(3)
})

test('who is in a channel is counted once, though only some are known by name', async () => {
  const { member, owner } = here.org
  const put = (userId: number, on: boolean) =>
    act({ name: 'set-channel-member', channelId: earlier, userId: asUserId(userId), on })
  await offline()
  // The person themselves, so it becomes one of their own channels.
  await put(member.id, true)
  expect(await channel(earlier)).toMatchObject({ isSubscribed: true, subscriberCount: 2 })
  await put(member.id, false)
  expect(await channel(earlier)).toMatchObject({ isSubscribed: false, subscriberCount: 1 })
  // It is unknown here whether they are in it, so the count stays until the server says.
  await put(owner.id, false)
  expect((await channel(earlier))?.subscriberCount).toBe(1)
  await here.device.bridge.call('discard-outbox-item', {
    ...account(),
    localId: (await here.device.ask('outbox', account()))[0]?.localId ?? '',
  })
  await online()
  await empty()
})

test('channels are listed by what can be done with them, found by their words, and bounded', async () => {
  const names = async (which: 'subscribed' | 'available' | 'all', text = '', limit = 5_000) => {
    const { channels, total } = await here.device.ask('channel-list', { ...account(), which, text, limit })
    return { names: channels.map(({ name }) => name), total }
  }
  const open = await newChannel(false, { description: 'About the Herring run' })
  const closed = await newChannel(false, { invite_only: true })
  const own = await newChannel(true)
  const [openName, ownName] = [await nameOf(open), await nameOf(own)]
  expect(await channel(closed)).toBe(null)
  expect((await names('subscribed')).names).toEqual(expect.arrayContaining(['cellar', 'plaza', ownName]))
  expect((await names('subscribed')).names).not.toContain(openName)
  expect((await names('available')).names).toContain(openName)
  expect((await names('available')).names).not.toContain(ownName)
  expect((await names('all')).names).toEqual(expect.arrayContaining([openName, ownName]))
  expect(await names('all', 'herring')).toEqual({ names: [openName], total: 1 })
  const bounded = await names('all', '#PLA', 1)
  expect(bounded.names).toEqual(['place 1'])
  expect(bounded.total).toBeGreaterThan(1)
  const settings = await here.device.ask('channel-settings', { ...account(), channelId: open })
  expect(settings).toMatchObject({
    channel: { isSubscribed: false },
    creatorName: here.org.owner.name,
    defaults: { desktop: false, sound: false, push: false, email: false, wildcardMentions: true },
    mayJoin: true,
    mayReturn: true,
    changes: [],
  })
  const cellar = await here.device.ask('channel-settings', {
    ...account(),
    channelId: channelId(here.org.cellar),
  })
  expect(cellar).toMatchObject({ mayJoin: false, mayReturn: false })
})

test('who is in a channel is known, or asked of the server', async () => {
  const id = earlier
  const people = (text = '') =>
    here.device.ask('channel-people', { ...account(), channelId: id, text, limit: 10 })
  expect(await people()).toEqual({ people: [], changes: [], found: 0, known: 0, total: 1 })
  await here.device.bridge.call('load-subscribers', { ...account(), channelId: id })
  const found = await people()
  expect(found).toMatchObject({ found: 1, known: 1, total: 1 })
  expect(found.people.map(({ userId }) => userId)).toEqual([here.org.owner.id])
  expect(await people('nobody')).toMatchObject({ people: [], found: 0, known: 1 })
  await here.org.owner.send(id, 'ebb', 'one')
  await join(id)
  await empty()
  const kept = await here.device.until(
    'channel-kept',
    { ...account(), channelId: id },
    ({ messages }) => messages > 0,
  )
  expect(kept.oldestAt).not.toBe(null)
})

test('what another device does is seen here', async () => {
  const id = await newChannel(false)
  const is = (isWanted: (value: NonNullable<Awaited<ReturnType<typeof channel>>>) => boolean) =>
    here.device.until(
      'channel',
      { ...account(), channelId: id },
      (value) => value !== null && isWanted(value),
    )
  const name = await nameOf(id)
  succeeded(await here.org.member.post('/users/me/subscriptions', { subscriptions: [{ name }] }))
  await is(({ isSubscribed, subscriberCount }) => isSubscribed && subscriberCount === 2)
  const change = async (property: string, value: boolean | string) =>
    succeeded(
      await here.org.member.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: id, property, value }],
      }),
    )
  await change('is_muted', true)
  await change('pin_to_top', true)
  await change('color', channelColorValues.moss)
  await is((value) => value.isMuted && value.isPinned && value.color === 'moss')
  succeeded(await here.org.member.delete('/users/me/subscriptions', { subscriptions: [name] }))
  await is(({ isSubscribed, subscriberCount }) => !isSubscribed && subscriberCount === 1)
})

test('what follows the account is sent as what the account says, for there is no other word for it', async () => {
  const id = await newChannel(true)
  await set(id, 'wildcardMentions', false)
  await set(id, 'email', true)
  await empty()
  await set(id, 'wildcardMentions', null)
  await set(id, 'email', null)
  // The setting has no value here, so nothing is sent.
  await set(id, 'sound', null)
  await empty()
  expect(await onServer(id)).toMatchObject({
    wildcard_mentions_notify: true,
    email_notifications: false,
    audible_notifications: null,
  })
  expect((await channel(id))?.notifications).toMatchObject({ wildcardMentions: true, email: false })
})

test('a subscription setting with a value of the wrong kind is refused', async () => {
  const id = await newChannel(true)
  for (const [property, value] of [
    ['muted', null],
    ['muted', 'moss'],
    ['color', true],
    ['desktop', 'sky'],
  ] as const)
    await expect(set(id, property, value)).rejects.toThrow()
  expect(await titles()).toEqual([])
})

test('every colour of the design comes back as itself', () => {
  expect(channelColors.map((color) => nearestColor(channelColorValues[color]))).toEqual(channelColors)
})
