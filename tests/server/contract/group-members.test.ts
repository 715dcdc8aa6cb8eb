import { beforeAll, expect, test } from 'vitest'
import { fresh, organization, succeeded, type Fields, type Person } from '../../support/organization.ts'
import { groupsOf, done, refused } from '../../support/user-groups.ts'

// Who is in user groups, over real HTTP (specification, POST /user_groups/{id}/members).

const org = organization()
const { group, shown, system } = groupsOf(org)
let owner: Person
let admin: Person
let ada: Person
let bo: Person
let guest: Person

beforeAll(() => {
  ;({ owner, admin, member: ada, other: bo, guest } = org)
})

test('GROUP-22: Members can be added and removed in one request, and every client gets both events.', async () => {
  const id = await group(ada, { members: [ada.id] })
  const listener = await bo.listen()
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id], delete: [ada.id] })).toMatchObject(done)
  expect(await shown(id)).toMatchObject({ members: [bo.id] })
  expect(await listener.events()).toEqual([
    { type: 'user_group', op: 'add_members', group_id: id, user_ids: [bo.id] },
    { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [ada.id] },
  ])
})

test('GROUP-23: Members who are added or removed must be existing, active users.', async () => {
  const gone = org.join(fresh('Gone'))
  const filled = await group(ada, { members: [gone.id] })
  const id = await group()
  org.service.workspace.db.run('UPDATE users SET is_active = 0 WHERE user_id = ?', gone.id)
  expect(await ada.post(`/user_groups/${id}/members`, { add: [bo.id, gone.id] })).toMatchObject(refused)
  expect(await ada.post(`/user_groups/${id}/members`, { add: [99_999] })).toMatchObject(refused)
  expect(await ada.post(`/user_groups/${filled}/members`, { delete: [gone.id] })).toMatchObject(refused)
  expect(await shown(id)).toMatchObject({ members: [] })
})

test('GROUP-24: Adding an existing member and removing a user who is not a member are rejected, and nothing is changed.', async () => {
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

test('GROUP-26: A group cannot contain itself, directly or indirectly.', async () => {
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

test('GROUP-29: The list of members includes those of subgroups unless only direct members are requested.', async () => {
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

test('GROUP-34: Mentioning a group mentions all its members, including members of its subgroups.', async () => {
  const inner = await group(ada, { members: [bo.id] })
  const name = fresh('crew')
  await group(ada, { name, members: [admin.id], subgroups: [inner] })
  const message = await ada.send(org.plaza, 'call', `@*${name}*`)
  for (const who of [admin, bo]) expect(await flagsOf(who, message)).toContain('group_mentioned')
  expect(await flagsOf(owner, message)).not.toContain('group_mentioned')
})

test('GROUP-35: A deactivated group cannot be mentioned until it is reactivated.', async () => {
  const name = fresh('crew')
  const id = await group(ada, { name, members: [bo.id] })
  expect(await ada.post(`/user_groups/${id}/deactivate`)).toMatchObject(done)
  expect(await flagsOf(bo, await ada.send(org.plaza, 'call', `@*${name}*`))).not.toContain('group_mentioned')
  expect(await ada.patch(`/user_groups/${id}`, { deactivated: false })).toMatchObject(done)
  expect(await flagsOf(bo, await ada.send(org.plaza, 'call', `@*${name}*`))).toContain('group_mentioned')
})
