import { beforeAll, expect, test } from 'vitest'
import { fresh, organization, type Person, setRealmPermission } from '../../support/organization.ts'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import { groupsOf, done, refused, setting } from '../../support/user-groups.ts'

// Who may do what with user groups, over real HTTP (specification, PATCH /user_groups).

const org = organization()
const { group, shown, system, ofAda } = groupsOf(org)
let owner: Person
let admin: Person
let ada: Person
let bo: Person
let guest: Person

beforeAll(() => {
  ;({ owner, admin, member: ada, other: bo, guest } = org)
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
  'GROUP-03: Each permission accepts a group id, or an object of users and groups.',
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
  'GROUP-04: Groups that must not hold a permission are rejected, both as an id and within an object.',
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

test('GROUP-05: A permission is changed if old matches the current value.', async () => {
  const id = await group()
  const moderators = await system('role:moderators')
  expect(
    await ada.patch(`/user_groups/${id}`, setting('can_add_members_group', moderators, ofAda())),
  ).toMatchObject(done)
  expect((await shown(id)).can_add_members_group).toBe(moderators)
})

test('GROUP-06: Nothing is changed if old does not match the current value.', async () => {
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

test('GROUP-07: Equivalent forms of the same holders are treated as equal for old.', async () => {
  const id = await group()
  const everyone = await system('role:everyone')
  const moderators = await system('role:moderators')
  const change = setting('can_leave_group', moderators, { direct_members: [], direct_subgroups: [everyone] })
  expect(await ada.patch(`/user_groups/${id}`, change)).toMatchObject(done)
})

test('GROUP-08: An object with a single group is stored as that group, and an empty object as role:nobody.', async () => {
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

test('GROUP-09: A change of a permission requires the new value.', async () => {
  const id = await group()
  expect(await ada.patch(`/user_groups/${id}`, { can_join_group: { old: 1 } })).toMatchObject(refused)
  // That is no change at all.
  expect(await ada.patch(`/user_groups/${id}`, { can_join_group: 1 })).toMatchObject({
    status: 400,
    body: { code: 'REQUEST_VARIABLE_INVALID', var_name: 'can_join_group', bad_value: '1' },
  })
})

test('GROUP-10: A permission cannot be granted to users or groups that do not exist or are inactive.', async () => {
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

test('GROUP-11: Deactivated users are not listed among the holders of a permission.', async () => {
  const gone = org.join(fresh('Gone'))
  const id = await group(ada, {
    can_join_group: { direct_members: [ada.id, gone.id], direct_subgroups: [] },
  })
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  expect((await shown(id)).can_join_group).toEqual(ofAda())
})

test('GROUP-36: A user who is not in can_mention_group cannot mention a group, but can mention it silently.', async () => {
  const name = fresh('crew')
  await group(ada, { name, members: [bo.id], can_mention_group: ofAda() })
  const write = (content: string) =>
    bo.post('/messages', { type: 'stream', to: org.plaza, topic: 'call', content })
  expect(await write(`@*${name}*`)).toMatchObject(refused)
  expect(await write(`@_*${name}*`)).toMatchObject(done)
  await ada.send(org.plaza, 'call', `@*${name}*`)
})

test('PERM-01: Users with can_manage_group can change a group; others, except owners, cannot.', async () => {
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

test('PERM-02: A permission also applies to members of subgroups of the group that holds it.', async () => {
  const inner = await group(ada, { members: [bo.id] })
  const holders = await group(ada, { subgroups: [inner] })
  const id = await group(ada, { can_manage_group: holders })
  expect(await bo.patch(`/user_groups/${id}`, { description: 'x' })).toMatchObject(done)
  await ada.post(`/user_groups/${inner}/members`, { delete: [bo.id] })
  expect(await bo.patch(`/user_groups/${id}`, { description: 'y' })).toMatchObject(refused)
})

test('PERM-03: The settings can_join_group and can_leave_group let users add and remove only themselves.', async () => {
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

test('PERM-04: The settings can_add_members_group and can_remove_members_group govern adding and removing other users.', async () => {
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

test('PERM-06: Only users with can_create_groups can create a group.', async () => {
  const { db } = org.service.workspace
  setRealmPermission(db, 'can_create_groups', systemGroupId(db, 'role:administrators'))
  const wish = () => ({ name: fresh('group'), description: '', members: [] })
  expect(await ada.post('/user_groups/create', wish())).toMatchObject(refused)
  expect(await admin.post('/user_groups/create', wish())).toMatchObject({ status: 200 })
  setRealmPermission(db, 'can_create_groups', systemGroupId(db, 'role:members'))
})
