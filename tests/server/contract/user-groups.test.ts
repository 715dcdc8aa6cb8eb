import { beforeAll, expect, test } from 'vitest'
import { fresh, organization, type Fields, type Person, type Queue } from '../../support/organization.ts'
import { groupsOf, done, refused, setting } from '../../support/user-groups.ts'

// User groups themselves, over real HTTP (specification, PATCH /user_groups).

const org = organization()
const { group, shown, system, ofAda } = groupsOf(org)
let owner: Person
let admin: Person
let ada: Person
let bo: Person

beforeAll(() => {
  ;({ owner, admin, member: ada, other: bo } = org)
})

test('GROUP-01: Name and description can be changed independently.', async () => {
  const id = await group()
  const name = fresh('renamed')
  expect(await ada.patch(`/user_groups/${id}`, { name })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ name, description: 'Some people' })
  expect(await ada.patch(`/user_groups/${id}`, { description: 'Others' })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ name, description: 'Others' })
})

test('GROUP-02: A change sends a user_group update to every signed-in client.', async () => {
  const id = await group()
  const listener = await bo.listen()
  const name = fresh('renamed')
  await ada.patch(`/user_groups/${id}`, { name, description: 'Some people' })
  expect(await listener.events()).toEqual([
    { type: 'user_group', op: 'update', group_id: id, data: { name } },
  ])
})

test('GROUP-12: An unknown group is rejected.', async () => {
  expect(await owner.patch('/user_groups/99999', { name: 'x' })).toMatchObject(refused)
  expect(await owner.post('/user_groups/99999/members', { add: [ada.id] })).toMatchObject(refused)
  expect(await owner.post('/user_groups/99999/deactivate')).toMatchObject(refused)
})

test('GROUP-13: System groups cannot be changed.', async () => {
  const id = await system('role:moderators')
  expect(await owner.patch(`/user_groups/${id}`, { description: 'x' })).toMatchObject(refused)
  expect(await owner.post(`/user_groups/${id}/members`, { add: [ada.id] })).toMatchObject(refused)
  expect(await owner.post(`/user_groups/${id}/deactivate`)).toMatchObject(refused)
})

test('GROUP-14: A request without any change is rejected.', async () => {
  const id = await group()
  expect(await ada.patch(`/user_groups/${id}`, {})).toMatchObject(refused)
  expect(await ada.post(`/user_groups/${id}/members`, {})).toMatchObject(refused)
})

test('GROUP-15: Passing deactivated=true does nothing.', async () => {
  const id = await group()
  const listener = await bo.listen()
  expect(await ada.patch(`/user_groups/${id}`, { deactivated: true })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ deactivated: false })
  expect(await listener.events()).toEqual([])
})

test('GROUP-16: Passing deactivated=false reactivates a deactivated group.', async () => {
  const id = await group()
  expect(await ada.post(`/user_groups/${id}/deactivate`)).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ deactivated: true })
  expect(await ada.patch(`/user_groups/${id}`, { deactivated: false })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ deactivated: false })
})

test('GROUP-17: Clients that support deactivated groups get both deactivation and reactivation as updates.', async () => {
  const id = await group()
  const listener = await bo.listen()
  await ada.post(`/user_groups/${id}/deactivate`)
  await ada.patch(`/user_groups/${id}`, { deactivated: false })
  expect(await listener.events()).toEqual([
    { type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } },
    { type: 'user_group', op: 'update', group_id: id, data: { deactivated: false } },
  ])
})

test('GROUP-18: Clients that do not support deactivated groups get remove and add events instead.', async () => {
  const id = await group()
  const listener = await bo.listen({ client_capabilities: {} })
  await ada.post(`/user_groups/${id}/deactivate`)
  await ada.patch(`/user_groups/${id}`, { deactivated: false })
  const events = await listener.events()
  expect(events).toMatchObject([
    { type: 'user_group', op: 'remove', group_id: id },
    { type: 'user_group', op: 'add', group: { id, deactivated: false } },
  ])
})

test('GROUP-19: Changes of a deactivated group are not sent to clients that do not support deactivated groups.', async () => {
  const id = await group()
  await ada.post(`/user_groups/${id}/deactivate`)
  const old = await bo.listen({ client_capabilities: {} })
  const modern = await bo.listen()
  await ada.patch(`/user_groups/${id}`, { name: fresh('renamed') })
  await ada.post(`/user_groups/${id}/members`, { add: [bo.id] })
  expect(await old.events()).toEqual([])
  expect(await modern.events()).toMatchObject([{ op: 'update' }, { op: 'add_members' }])
})

test('GROUP-20: Name, description, permissions and members of a deactivated group can be changed.', async () => {
  const id = await group()
  await ada.post(`/user_groups/${id}/deactivate`)
  const moderators = await system('role:moderators')
  expect(
    await ada.patch(`/user_groups/${id}`, {
      name: fresh('asleep'),
      description: 'Asleep',
      ...setting('can_join_group', moderators),
    }),
  ).toMatchObject(done)
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id] })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({
    description: 'Asleep',
    can_join_group: moderators,
    members: [bo.id],
    deactivated: true,
  })
})

test('GROUP-21: The register response lists deactivated groups only for clients that support them.', async () => {
  const id = await group()
  await ada.post(`/user_groups/${id}/deactivate`)
  const ids = (state: Queue['state']) => state['realm_user_groups'].map((one: { id: number }) => one.id)
  expect(ids((await bo.listen()).state)).toContain(id)
  expect(ids((await bo.listen({ client_capabilities: {} })).state)).not.toContain(id)
  const plain = await bo.get('/user_groups')
  expect(ids({ realm_user_groups: plain.body['user_groups'] })).not.toContain(id)
})

test('GROUP-28: A group that is in use cannot be deactivated, and the error lists where it is used.', async () => {
  const id = await group()
  const outer = await group(ada, { subgroups: [id] })
  const other = await group(ada, { can_join_group: id })
  const channelId = org.service.createChannel(fresh('channel'), [ada.id])
  expect(await admin.patch(`/streams/${channelId}`, setting('can_send_message_group', id))).toMatchObject(
    done,
  )
  expect(await ada.post(`/user_groups/${id}/deactivate`)).toMatchObject({
    status: 400,
    body: {
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [
        { type: 'subgroup', supergroup_ids: [outer] },
        { type: 'channel', channel_id: channelId, settings: ['can_send_message_group'] },
        { type: 'user_group', group_id: other, settings: ['can_join_group'] },
      ],
    },
  })
  expect(await shown(id)).toMatchObject({ deactivated: false })
})

test('GROUP-30: A new group is sent to all users as a whole object, with the default values of its permissions.', async () => {
  const listener = await bo.listen()
  const id = await group(ada, { members: [bo.id] })
  const [nobody, everyone] = [await system('role:nobody'), await system('role:everyone')]
  const events = await listener.events()
  expect(events).toEqual([{ type: 'user_group', op: 'add', group: await shown(id) }])
  expect(events[0]?.['group']).toEqual({
    id,
    name: expect.any(String),
    description: 'Some people',
    members: [bo.id],
    direct_subgroup_ids: [],
    is_system_group: false,
    creator_id: ada.id,
    date_created: expect.any(Number),
    deactivated: false,
    can_add_members_group: ofAda(),
    can_manage_group: ofAda(),
    can_join_group: nobody,
    can_remove_members_group: nobody,
    can_leave_group: everyone,
    can_mention_group: everyone,
  })
})

const forbiddenNames = [
  '',
  '   ',
  '@people',
  'role:people',
  'user:x',
  'stream:x',
  'channel:x',
  'x'.repeat(101),
]
test.each(forbiddenNames)(
  'GROUP-31: A name that is empty, too long or reserved is rejected.',
  async (name) => {
    expect(await ada.post('/user_groups/create', { name, description: '', members: [] })).toMatchObject(
      refused,
    )
    const id = await group()
    expect(await ada.patch(`/user_groups/${id}`, { name })).toMatchObject(refused)
  },
)

test('GROUP-32: A name that another group has is rejected; a group’s own name is accepted.', async () => {
  const name = fresh('taken')
  await group(ada, { name })
  const id = await group()
  expect(await ada.patch(`/user_groups/${id}`, { name: name.toUpperCase() })).toMatchObject(refused)
  const { name: own } = await shown(id)
  expect(await ada.patch(`/user_groups/${id}`, { name: own.toUpperCase() })).toMatchObject(done)
})

test('GROUP-37: Repeated deactivation, subgroups that are already added or removed, and an empty request are rejected.', async () => {
  const inner = await group()
  const id = await group()
  const subgroups = (fields: Fields) => ada.post(`/user_groups/${id}/subgroups`, fields)
  expect(await subgroups({ delete: [inner] })).toMatchObject(refused)
  expect(await subgroups({})).toMatchObject(refused)
  expect(await subgroups({ add: [inner] })).toMatchObject(done)
  expect(await subgroups({ add: [inner] })).toMatchObject(refused)
  expect(await shown(id)).toMatchObject({ direct_subgroup_ids: [inner] })
  const both = { add: [bo.id], delete: [bo.id] }
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id] })).toMatchObject(done)
  expect(await ada.post(`/user_groups/${id}/members`, both)).toMatchObject(refused)
  expect(await shown(id)).toMatchObject({ members: [bo.id] })
  const other = await group()
  expect(await ada.post(`/user_groups/${other}/deactivate`)).toMatchObject(done)
  expect(await ada.post(`/user_groups/${other}/deactivate`)).toMatchObject(refused)
})
