import { afterEach, expect, test } from 'vitest'
import { fresh, organization, refused, succeeded, type Fields } from '../../support/organization.ts'

const org = organization()

const types = { event_types: ['default_stream_groups'] }
const listed = async (who = org.member) =>
  (await who.register({ fetch_event_types: ['default_stream_groups'] })).state.realm_default_stream_groups
const create = (fields: Fields = {}) =>
  org.admin.post('/default_stream_groups/create', {
    group_name: fresh('Group'),
    description: '',
    stream_names: ['plaza'],
    ...fields,
  })
const created = async (fields: Fields = {}): Promise<number> => {
  succeeded(await create(fields))
  return Math.max(...(await listed()).map((one: { id: number }) => one.id))
}
const channel = async (fields: Fields = {}) => {
  const name = fresh('channel')
  const { id } = succeeded(await org.owner.post('/channels/create', { name, subscribers: [], ...fields }))
  return { id, name }
}
const change = (id: number, op: 'add' | 'remove', ...stream_names: string[]) =>
  org.admin.patch(`/default_stream_groups/${id}/streams`, { op, stream_names })

afterEach(async () => {
  for (const { id } of await listed()) succeeded(await org.owner.delete(`/default_stream_groups/${id}`))
})

test('OFFER-01: A new group of default channels is in the state of a new queue, and is sent to all users except guests.', async () => {
  const [queue, guest] = [await org.member.listen(types), await org.guest.listen(types)]
  succeeded(await create({ group_name: ' Waders ', description: 'Birds', stream_names: ['plaza', 'lobby'] }))
  const groups = await listed()
  expect(groups).toEqual([
    { id: expect.any(Number), name: 'Waders', description: 'Birds', streams: [org.plaza, org.lobby] },
  ])
  expect(await queue.events()).toEqual([{ type: 'default_stream_groups', default_stream_groups: groups }])
  expect(await guest.events()).toEqual([])
  expect(await listed(org.guest)).toEqual([])
})

test('OFFER-02: A group has a unique name, neither empty nor too long, and channels that new users can be subscribed to.', async () => {
  const hidden = await channel({ invite_only: true })
  const common = await channel({ is_default_stream: true })
  const archived = await channel()
  succeeded(await org.owner.delete(`/streams/${archived.id}`))
  await created({ group_name: 'Taken' })
  for (const group_name of ['', '  ', 'Taken', 'a'.repeat(61), 'a\0']) refused(await create({ group_name }))
  refused(await create({ description: 'a'.repeat(1025) }))
  for (const name of ['nowhere', hidden.name, common.name, archived.name])
    refused(await create({ stream_names: ['plaza', name] }))
  expect(await listed()).toHaveLength(1)
})

test('OFFER-03: Name and description can be changed, together or alone.', async () => {
  const id = await created({ group_name: 'Before', description: 'old' })
  await created({ group_name: 'Taken' })
  const edit = (fields: Fields) => org.admin.patch(`/default_stream_groups/${id}`, fields)
  const queue = await org.member.listen(types)
  succeeded(await edit({ new_group_name: 'After' }))
  succeeded(await edit({ new_group_name: 'After', new_description: 'new' }))
  refused(await edit({}))
  refused(await edit({ new_group_name: 'Taken' }))
  const own = (groups: { id: number }[]) => groups.find((one) => one.id === id)
  const told = (await queue.events()).map(({ default_stream_groups: groups }) => own(groups))
  expect(told).toMatchObject([
    { name: 'After', description: 'old' },
    { name: 'After', description: 'new' },
  ])
  expect(own(await listed())).toMatchObject({ name: 'After', description: 'new', streams: [org.plaza] })
})

test('OFFER-04: Channels can be added and removed; adding one already in the group, or removing one that is not, is rejected and changes nothing.', async () => {
  const id = await created()
  const other = await channel()
  const queue = await org.member.listen(types)
  succeeded(await change(id, 'add', 'lobby', other.name))
  refused(await change(id, 'add', 'plaza'))
  succeeded(await change(id, 'remove', 'plaza'))
  refused(await change(id, 'remove', 'lobby', 'plaza'))
  const told = (await queue.events()).map((event) => event['default_stream_groups'][0].streams)
  expect(told).toEqual([
    [org.plaza, org.lobby, other.id],
    [org.lobby, other.id],
  ])
  expect(await listed()).toMatchObject([{ id, streams: [org.lobby, other.id] }])
})

test('OFFER-05: A removed group no longer exists, and an event is sent; an unknown group is rejected with status 404.', async () => {
  const id = await created()
  const queue = await org.member.listen(types)
  succeeded(await org.admin.delete(`/default_stream_groups/${id}`))
  expect(await queue.events()).toEqual([{ type: 'default_stream_groups', default_stream_groups: [] }])
  refused(await org.admin.delete(`/default_stream_groups/${id}`), 'BAD_REQUEST', 404)
  refused(await org.admin.patch(`/default_stream_groups/${id}`, { new_description: '' }), 'BAD_REQUEST', 404)
  refused(await change(id, 'add', 'lobby'), 'BAD_REQUEST', 404)
})

test('OFFER-06: A channel that becomes private or is archived is removed from its groups, and an event is sent.', async () => {
  const turned = await channel()
  const ended = await channel()
  await created({ stream_names: ['plaza', turned.name, ended.name] })
  const queue = await org.member.listen(types)
  succeeded(await org.owner.patch(`/streams/${turned.id}`, { description: 'Still public' }))
  expect(await queue.events()).toEqual([])
  succeeded(await org.owner.patch(`/streams/${turned.id}`, { is_private: true }))
  succeeded(await org.owner.delete(`/streams/${ended.id}`))
  const told = (await queue.events()).map((event) => event['default_stream_groups'][0].streams)
  expect(told).toEqual([[org.plaza, ended.id], [org.plaza]])
})

test('OFFER-07: The invitation page offers the groups, and subscribes a new user to the channels of those they choose; guests are offered none.', async () => {
  const [first, second] = [await channel(), await channel()]
  const wanted = await created({ group_name: 'Waders & gulls', stream_names: [first.name] })
  await created({ group_name: 'Ducks', stream_names: [second.name] })
  const { invite_link } = succeeded(await org.owner.post('/invites/multiuse'))
  const page = await (await fetch(invite_link)).text()
  expect(page).toContain('Waders &amp; gulls')
  expect(page).toContain(`#${second.name}`)
  const join = async (link: string) => {
    const name = fresh('Newcomer')
    const email = `${name.replace(' ', '-')}@example.org`
    const fields = { full_name: name, email, password: 'tide tables', [`channels-${wanted}`]: 'on' }
    expect((await fetch(link, { method: 'POST', body: new URLSearchParams(fields) })).status).toBe(200)
    const { members } = succeeded(await org.owner.get('/users'))
    return members.find((one: { full_name: string }) => one.full_name === name).user_id
  }
  const newcomer = await join(invite_link)
  const isIn = async (userId: number, { id }: { id: number }) =>
    succeeded(await org.owner.get(`/users/${userId}/subscriptions/${id}`)).is_subscribed
  expect([await isIn(newcomer, first), await isIn(newcomer, second)]).toEqual([true, false])
  const asGuest = succeeded(await org.owner.post('/invites/multiuse', { invite_as: 600 })).invite_link
  expect(await (await fetch(asGuest)).text()).not.toContain(first.name)
  expect(await isIn(await join(asGuest), first)).toBe(false)
})
