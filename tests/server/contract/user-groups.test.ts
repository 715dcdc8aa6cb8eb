import { beforeAll, expect, test } from 'vitest'
import {
  fresh,
  organization,
  succeeded,
  type Fields,
  type Person,
  type Queue,
} from '../../support/organization.ts'
import { setRealmPermission, systemGroupId } from '../../../src-server/permissions.ts'

// User groups, over real HTTP (specification, PATCH /user_groups and POST /user_groups/{id}/members).

const org = organization()
let owner: Person
let admin: Person
let ada: Person
let bo: Person
let guest: Person

beforeAll(() => {
  ;({ owner, admin, member: ada, other: bo, guest } = org)
})

const group = async (by: Person = ada, fields: Fields = {}): Promise<number> => {
  const { body } = await by.post('/user_groups/create', {
    name: fresh('group'),
    description: 'Some people',
    members: [],
    ...fields,
  })
  expect(body).toMatchObject({ result: 'success' })
  return body['group_id']
}
const shown = async (id: number) => {
  const { body } = await owner.get('/user_groups', { include_deactivated_groups: true })
  return body['user_groups'].find((one: { id: number }) => one.id === id)
}
const system = async (name: string): Promise<number> => {
  const { body } = await owner.get('/user_groups')
  return body['user_groups'].find((one: { name: string }) => one.name === name).id
}
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const done = { status: 200, body: { result: 'success', msg: '' } }
const ofAda = () => ({ direct_members: [ada.id], direct_subgroups: [] })
const setting = (name: string, value: unknown, old?: unknown) => ({
  [name]: { new: value, ...(old === undefined ? {} : { old }) },
})

test('GROUP-01: Name and description can be changed, each without the other.', async () => {
  const id = await group()
  const name = fresh('renamed')
  expect(await ada.patch(`/user_groups/${id}`, { name })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ name, description: 'Some people' })
  expect(await ada.patch(`/user_groups/${id}`, { description: 'Others' })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ name, description: 'Others' })
})

test('GROUP-02: A change reaches every signed-in client as a user_group update.', async () => {
  const id = await group()
  const listener = await bo.listen()
  const name = fresh('renamed')
  await ada.patch(`/user_groups/${id}`, { name, description: 'Some people' })
  expect(await listener.events()).toEqual([
    { type: 'user_group', op: 'update', group_id: id, data: { name } },
  ])
})

const permissions = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
]
test.each(permissions)(
  'GROUP-03: Each permission takes a group id or people and groups by name.',
  async (name) => {
    const id = await group()
    const moderators = await system('role:moderators')
    expect(
      await ada.patch(
        `/user_groups/${id}`,
        setting(name, { direct_members: [bo.id, ada.id], direct_subgroups: [moderators] }),
      ),
    ).toMatchObject(done)
    expect((await shown(id))[name]).toEqual({
      direct_members: [ada.id, bo.id],
      direct_subgroups: [moderators],
    })
    expect(await owner.patch(`/user_groups/${id}`, setting(name, moderators))).toMatchObject(done)
    expect((await shown(id))[name]).toBe(moderators)
  },
)

const forbiddenHolders = [
  ['can_manage_group', 'role:internet'],
  ['can_manage_group', 'role:everyone'],
  ['can_mention_group', 'role:internet'],
  ['can_mention_group', 'role:owners'],
]
test.each(forbiddenHolders)(
  'GROUP-04: Groups that must not hold a permission cannot be given it, neither as an id nor within an object.',
  async (name, forbidden) => {
    const id = await group()
    const value = await system(forbidden)
    const before = (await shown(id))[name]
    expect(await ada.patch(`/user_groups/${id}`, setting(name, value))).toMatchObject(refused)
    expect(
      await ada.patch(
        `/user_groups/${id}`,
        setting(name, { direct_members: [ada.id], direct_subgroups: [value] }),
      ),
    ).toMatchObject(refused)
    expect((await shown(id))[name]).toEqual(before)
  },
)

test('GROUP-05: A permission is changed when old is what it is.', async () => {
  const id = await group()
  const moderators = await system('role:moderators')
  expect(
    await ada.patch(`/user_groups/${id}`, setting('can_add_members_group', moderators, ofAda())),
  ).toMatchObject(done)
  expect((await shown(id)).can_add_members_group).toBe(moderators)
})

test('GROUP-06: Nothing is changed when old is not what it is.', async () => {
  const id = await group()
  const moderators = await system('role:moderators')
  expect(
    await ada.patch(`/user_groups/${id}`, {
      name: fresh('never'),
      ...setting('can_add_members_group', moderators, moderators),
    }),
  ).toMatchObject({ status: 400, body: { code: 'EXPECTATION_MISMATCH' } })
  expect(await shown(id)).toMatchObject({
    can_add_members_group: ofAda(),
    name: expect.stringMatching(/^group/),
  })
})

test('GROUP-07: Two ways to write the same holders are the same for old.', async () => {
  const id = await group()
  const everyone = await system('role:everyone')
  const moderators = await system('role:moderators')
  const change = setting('can_leave_group', moderators, { direct_members: [], direct_subgroups: [everyone] })
  expect(await ada.patch(`/user_groups/${id}`, change)).toMatchObject(done)
})

test('GROUP-08: An object with nothing but one group is kept as that group, an empty one as nobody.', async () => {
  const id = await group()
  const moderators = await system('role:moderators')
  await ada.patch(
    `/user_groups/${id}`,
    setting('can_join_group', { direct_members: [], direct_subgroups: [moderators] }),
  )
  expect((await shown(id)).can_join_group).toBe(moderators)
  await ada.patch(
    `/user_groups/${id}`,
    setting('can_join_group', { direct_members: [], direct_subgroups: [] }),
  )
  expect((await shown(id)).can_join_group).toBe(await system('role:nobody'))
})

test('GROUP-09: The new value is required in a change of a permission.', async () => {
  const id = await group()
  expect(await ada.patch(`/user_groups/${id}`, { can_join_group: { old: 1 } })).toMatchObject(refused)
  // That is no change at all.
  expect(await ada.patch(`/user_groups/${id}`, { can_join_group: 1 })).toMatchObject({
    status: 400,
    body: { code: 'REQUEST_VARIABLE_INVALID', var_name: 'can_join_group', bad_value: '1' },
  })
})

test('GROUP-10: A permission cannot go to people or groups that are not there or not active.', async () => {
  const id = await group()
  const gone = org.join(fresh('Gone'))
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  const sleeping = await group()
  await ada.post(`/user_groups/${sleeping}/deactivate`)
  for (const value of [
    99_999,
    sleeping,
    { direct_members: [99_999], direct_subgroups: [] },
    { direct_members: [gone.id], direct_subgroups: [] },
    { direct_members: [ada.id], direct_subgroups: [sleeping] },
  ]) {
    expect(await ada.patch(`/user_groups/${id}`, setting('can_join_group', value))).toMatchObject(refused)
  }
})

test('GROUP-11: People who were deactivated are not shown among the holders of a permission.', async () => {
  const gone = org.join(fresh('Gone'))
  const id = await group(ada, {
    can_join_group: { direct_members: [ada.id, gone.id], direct_subgroups: [] },
  })
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  expect((await shown(id)).can_join_group).toEqual(ofAda())
})

test('GROUP-12: An unknown group is refused.', async () => {
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

test('GROUP-14: A request that changes nothing by its fields is refused.', async () => {
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

test('GROUP-16: Passing deactivated=false makes a deactivated group active.', async () => {
  const id = await group()
  expect(await ada.post(`/user_groups/${id}/deactivate`)).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ deactivated: true })
  expect(await ada.patch(`/user_groups/${id}`, { deactivated: false })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ deactivated: false })
})

test('GROUP-17: Clients that know deactivated groups hear of both ways as updates.', async () => {
  const id = await group()
  const listener = await bo.listen()
  await ada.post(`/user_groups/${id}/deactivate`)
  await ada.patch(`/user_groups/${id}`, { deactivated: false })
  expect(await listener.events()).toEqual([
    { type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } },
    { type: 'user_group', op: 'update', group_id: id, data: { deactivated: false } },
  ])
})

test('GROUP-18: Clients that do not know deactivated groups hear remove and add.', async () => {
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

test('GROUP-19: Changes of a deactivated group are not sent to clients that do not know it.', async () => {
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

test('GROUP-21: The register response lists deactivated groups only for clients that know them.', async () => {
  const id = await group()
  await ada.post(`/user_groups/${id}/deactivate`)
  const ids = (state: Queue['state']) => state['realm_user_groups'].map((one: { id: number }) => one.id)
  expect(ids((await bo.listen()).state)).toContain(id)
  expect(ids((await bo.listen({ client_capabilities: {} })).state)).not.toContain(id)
  const plain = await bo.get('/user_groups')
  expect(ids({ realm_user_groups: plain.body['user_groups'] })).not.toContain(id)
})

test('GROUP-22: Members can be added and removed in one request, and every client hears of both.', async () => {
  const id = await group(ada, { members: [ada.id] })
  const listener = await bo.listen()
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id], delete: [ada.id] })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ members: [bo.id] })
  expect(await listener.events()).toEqual([
    { type: 'user_group', op: 'add_members', group_id: id, user_ids: [bo.id] },
    { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [ada.id] },
  ])
})

test('GROUP-23: Members who are added or removed must be active people who are there.', async () => {
  const gone = org.join(fresh('Gone'))
  const filled = await group(ada, { members: [gone.id] })
  const id = await group()
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id, gone.id] })).toMatchObject(refused)
  expect(await ada.post(`/user_groups/${id}/members`, { add: [99_999] })).toMatchObject(refused)
  expect(await ada.post(`/user_groups/${filled}/members`, { delete: [gone.id] })).toMatchObject(refused)
  expect(await shown(id)).toMatchObject({ members: [] })
})

test('GROUP-24: Adding who is in already and removing who is not are refused, and nothing is done.', async () => {
  const id = await group(ada, { members: [ada.id] })
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id, ada.id] })).toMatchObject(refused)
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id], delete: [guest.id] })).toMatchObject(
    refused,
  )
  expect(await shown(id)).toMatchObject({ members: [ada.id] })
})

test('GROUP-25: Subgroups are added and removed with add_subgroups and delete_subgroups.', async () => {
  const inner = await group()
  const id = await group()
  const listener = await bo.listen()
  expect(await ada.post(`/user_groups/${id}/members`, { add_subgroups: [inner] })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ direct_subgroup_ids: [inner] })
  expect(await ada.post(`/user_groups/${id}/members`, { delete_subgroups: [inner] })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ direct_subgroup_ids: [] })
  expect(await listener.events()).toEqual([
    { type: 'user_group', op: 'add_subgroups', group_id: id, direct_subgroup_ids: [inner] },
    { type: 'user_group', op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [inner] },
  ])
})

test('GROUP-26: A group cannot come to contain itself.', async () => {
  const inner = await group()
  const middle = await group(ada, { subgroups: [inner] })
  const outer = await group(ada, { subgroups: [middle] })
  expect(await ada.post(`/user_groups/${inner}/members`, { add_subgroups: [outer] })).toMatchObject(refused)
  expect(await ada.post(`/user_groups/${inner}/subgroups`, { add: [inner] })).toMatchObject(refused)
})

test('GROUP-27: A deactivated group cannot become a subgroup.', async () => {
  const inner = await group()
  const id = await group()
  await ada.post(`/user_groups/${inner}/deactivate`)
  expect(await ada.post(`/user_groups/${id}/members`, { add_subgroups: [inner] })).toMatchObject(refused)
})

test('GROUP-28: A group that is in use cannot be deactivated, and the answer says where it is used.', async () => {
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

test('GROUP-29: Who reads members gets those of subgroups too unless only direct ones are wanted.', async () => {
  const inner = await group(ada, { members: [bo.id] })
  const id = await group(ada, { members: [ada.id], subgroups: [inner] })
  const members = async (fields: Fields) =>
    (await bo.get(`/user_groups/${id}/members`, fields)).body['members']
  expect(await members({})).toEqual([ada.id, bo.id])
  expect(await members({ direct_member_only: true })).toEqual([ada.id])
  const is = async (fields: Fields) =>
    (await bo.get(`/user_groups/${id}/members/${bo.id}`, fields)).body['is_user_group_member']
  expect(await is({})).toBe(true)
  expect(await is({ direct_member_only: true })).toBe(false)
  const outer = await group(ada, { subgroups: [id] })
  expect((await bo.get(`/user_groups/${outer}/subgroups`)).body['subgroups']).toEqual([inner, id])
  expect(
    (await bo.get(`/user_groups/${outer}/subgroups`, { direct_subgroup_only: true })).body['subgroups'],
  ).toEqual([id])
})

test('GROUP-30: A new group reaches everybody whole, with the holders that a new group has.', async () => {
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
  'GROUP-31: A name that is empty, too long or reserved is refused.',
  async (name) => {
    expect(await ada.post('/user_groups/create', { name, description: '', members: [] })).toMatchObject(
      refused,
    )
    const id = await group()
    expect(await ada.patch(`/user_groups/${id}`, { name })).toMatchObject(refused)
  },
)

test('GROUP-32: A name that another group has is refused, the own one is not.', async () => {
  const name = fresh('taken')
  await group(ada, { name })
  const id = await group()
  expect(await ada.patch(`/user_groups/${id}`, { name: name.toUpperCase() })).toMatchObject(refused)
  const { name: own } = await shown(id)
  expect(await ada.patch(`/user_groups/${id}`, { name: own.toUpperCase() })).toMatchObject(done)
})

test('GROUP-33: System groups contain each other by role.', async () => {
  const names = [
    'role:internet',
    'role:everyone',
    'role:members',
    'role:fullmembers',
    'role:moderators',
    'role:administrators',
    'role:owners',
  ]
  const ids = await Promise.all(names.map(system))
  for (const [index, id] of ids.entries()) {
    expect(await shown(id)).toMatchObject({
      is_system_group: true,
      direct_subgroup_ids: ids.slice(index + 1, index + 2),
    })
  }
  const of = async (name: string) =>
    (await owner.get(`/user_groups/${await system(name)}/members`)).body['members']
  expect(await of('role:owners')).toContain(owner.id)
  expect(await of('role:administrators')).toEqual(expect.arrayContaining([owner.id, admin.id]))
  expect(await of('role:members')).not.toContain(guest.id)
  expect(await of('role:everyone')).toContain(guest.id)
  expect(await of('role:nobody')).toEqual([])
})

const flagsOf = async (who: Person, message: number) =>
  succeeded(await who.get(`/messages/${message}`)).message.flags

test('GROUP-34: Mentioning a group calls everybody in it, also those who are in it through another.', async () => {
  const inner = await group(ada, { members: [bo.id] })
  const name = fresh('crew')
  await group(ada, { name, members: [admin.id], subgroups: [inner] })
  const message = await ada.send(org.plaza, 'call', `@*${name}*`)
  for (const who of [admin, bo]) expect(await flagsOf(who, message)).toContain('group_mentioned')
  expect(await flagsOf(owner, message)).not.toContain('group_mentioned')
})

test('GROUP-35: A deactivated group cannot be mentioned until it is active again.', async () => {
  const name = fresh('crew')
  const id = await group(ada, { name, members: [bo.id] })
  expect(await ada.post(`/user_groups/${id}/deactivate`)).toMatchObject(done)
  expect(await flagsOf(bo, await ada.send(org.plaza, 'call', `@*${name}*`))).not.toContain('group_mentioned')
  expect(await ada.patch(`/user_groups/${id}`, { deactivated: false })).toMatchObject(done)
  expect(await flagsOf(bo, await ada.send(org.plaza, 'call', `@*${name}*`))).toContain('group_mentioned')
})

test('GROUP-36: Who is not in can_mention_group cannot mention a group, but may name it without calling.', async () => {
  const name = fresh('crew')
  await group(ada, { name, members: [bo.id], can_mention_group: ofAda() })
  const write = (content: string) =>
    bo.post('/messages', { type: 'stream', to: org.plaza, topic: 'call', content })
  expect(await write(`@*${name}*`)).toMatchObject(refused)
  expect(await write(`@_*${name}*`)).toMatchObject(done)
  await ada.send(org.plaza, 'call', `@*${name}*`)
})

test('PERM-01: Who holds can_manage_group may change everything of a group, others nothing.', async () => {
  const id = await group()
  expect(await bo.patch(`/user_groups/${id}`, { description: 'x' })).toMatchObject(refused)
  expect(await admin.patch(`/user_groups/${id}`, { description: 'x' })).toMatchObject(refused)
  expect(await bo.post(`/user_groups/${id}/members`, { add: [bo.id] })).toMatchObject(refused)
  expect(await bo.post(`/user_groups/${id}/deactivate`)).toMatchObject(refused)
  await ada.patch(
    `/user_groups/${id}`,
    setting('can_manage_group', { direct_members: [bo.id], direct_subgroups: [] }),
  )
  expect(await bo.patch(`/user_groups/${id}`, { description: 'x' })).toMatchObject(done)
  expect(await ada.patch(`/user_groups/${id}`, { description: 'y' })).toMatchObject(refused)
  expect(await owner.patch(`/user_groups/${id}`, { description: 'z' })).toMatchObject(done)
})

test('PERM-02: A permission reaches who is in a group within the group that holds it.', async () => {
  const inner = await group(ada, { members: [bo.id] })
  const holders = await group(ada, { subgroups: [inner] })
  const id = await group(ada, { can_manage_group: holders })
  expect(await bo.patch(`/user_groups/${id}`, { description: 'x' })).toMatchObject(done)
  await ada.post(`/user_groups/${inner}/members`, { delete: [bo.id] })
  expect(await bo.patch(`/user_groups/${id}`, { description: 'y' })).toMatchObject(refused)
})

test('PERM-03: The settings can_join_group and can_leave_group let people put themselves in and out, nobody else.', async () => {
  const id = await group(ada, { can_join_group: { direct_members: [bo.id], direct_subgroups: [] } })
  expect(await bo.post(`/user_groups/${id}/members`, { add: [guest.id] })).toMatchObject(refused)
  expect(await bo.post(`/user_groups/${id}/members`, { add: [bo.id] })).toMatchObject(done)
  expect(await admin.post(`/user_groups/${id}/members`, { add: [admin.id] })).toMatchObject(refused)
  expect(await bo.post(`/user_groups/${id}/members`, { delete: [bo.id] })).toMatchObject(done)
  const nobody = await system('role:nobody')
  await ada.patch(`/user_groups/${id}`, setting('can_leave_group', nobody))
  await bo.post(`/user_groups/${id}/members`, { add: [bo.id] })
  expect(await bo.post(`/user_groups/${id}/members`, { delete: [bo.id] })).toMatchObject(refused)
})

test('PERM-04: The settings can_add_members_group and can_remove_members_group are about others.', async () => {
  const ofBo = { direct_members: [bo.id], direct_subgroups: [] }
  const id = await group(ada, { can_add_members_group: ofBo })
  expect(await bo.post(`/user_groups/${id}/members`, { add: [guest.id] })).toMatchObject(done)
  expect(await bo.post(`/user_groups/${id}/members`, { delete: [guest.id] })).toMatchObject(refused)
  await ada.patch(`/user_groups/${id}`, setting('can_remove_members_group', ofBo))
  expect(await bo.post(`/user_groups/${id}/members`, { delete: [guest.id] })).toMatchObject(done)
  const inner = await group(bo)
  expect(await bo.post(`/user_groups/${id}/members`, { add_subgroups: [inner] })).toMatchObject(refused)
})

test('PERM-05: Guests and bots cannot use the endpoints of user groups.', async () => {
  const id = await group()
  for (const caller of [guest, org.bot]) {
    expect(await caller.get('/user_groups')).toMatchObject(refused)
    expect(
      await caller.post('/user_groups/create', { name: fresh('g'), description: '', members: [] }),
    ).toMatchObject(refused)
    expect(await caller.patch(`/user_groups/${id}`, { description: 'x' })).toMatchObject(refused)
    expect(await caller.post(`/user_groups/${id}/members`, { add: [caller.id] })).toMatchObject(refused)
    expect(await caller.get(`/user_groups/${id}/members`)).toMatchObject(refused)
    expect((await caller.listen()).state['realm_user_groups']).toEqual(
      expect.arrayContaining([expect.objectContaining({ id })]),
    )
  }
})

test('PERM-06: Only who holds can_create_groups may make one.', async () => {
  const { db } = org.service.workspace
  setRealmPermission(db, 'can_create_groups', systemGroupId(db, 'role:administrators'))
  const wish = () => ({ name: fresh('group'), description: '', members: [] })
  expect(await ada.post('/user_groups/create', wish())).toMatchObject(refused)
  expect(await admin.post('/user_groups/create', wish())).toMatchObject({ status: 200 })
  setRealmPermission(db, 'can_create_groups', systemGroupId(db, 'role:members'))
})

test('GROUP-37: A group is deactivated once, subgroups that are in or out already are refused, and so is nothing at all.', async () => {
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
