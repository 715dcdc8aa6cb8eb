import { expect, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import type { UserGroup } from '../../src-shared/model/profile.ts'
import { deviceInOrganization } from '../support/organization-device.ts'
import { succeeded } from '../support/organization.ts'

// Groups are created, filled and changed, online and offline; other people's changes meanwhile are kept.

let made = 0

const here = deviceInOrganization('owner')
const { account, act, titles, empty, refusals, offline, online } = here
const put = (groupId: number, person: number, on = true) =>
  act({ name: 'set-group-member', groupId, member: { kind: 'person', userId: person }, on })
const nest = (groupId: number, inner: number, on = true) =>
  act({ name: 'set-group-member', groupId, member: { kind: 'group', groupId: inner }, on })
const change = (
  groupId: number,
  property: Extract<ActionInput, { name: 'change-group' }>['property'],
  value: string | boolean | { people: number[]; groups: number[] },
  before?: string | boolean | { people: number[]; groups: number[] },
) => act({ name: 'change-group', groupId, property, value, before })
const group = async (id: number): Promise<UserGroup> => {
  const known = (await here.device.ask('groups', account())).find(({ groupId }) => groupId === id)
  if (known === undefined) throw new Error('no such group here')
  return known
}
const groupsOnServer = async (): Promise<Record<string, unknown>[]> =>
  succeeded(await here.org.owner.get('/user_groups', { include_deactivated_groups: true })).user_groups
const onServer = async (id: number) => (await groupsOnServer()).find((one) => one['id'] === id)
const system = async (name: string) =>
  Number((await groupsOnServer()).find((one) => one['name'] === `role:${name}`)?.['id'])

/** Another person changes who may mention a group, without an event. */
const decide = (id: number, holder: number) =>
  here.org.service.database.run(
    `INSERT OR REPLACE INTO permission_values VALUES ('group', ?, 'can_mention_group', ?)`,
    id,
    JSON.stringify(holder),
  )

/** A group that the person creates, here and on the server. */
async function newGroup(people: number[] = []): Promise<number> {
  const groupName = `crew ${++made}`
  await act({ name: 'create-group', groupName, description: '', people, groups: [] })
  const all = await here.device.until('groups', account(), (known) =>
    known.some(({ name, isWaiting }) => name === groupName && !isWaiting),
  )
  await empty()
  return all.find(({ name }) => name === groupName)?.groupId ?? 0
}

test('a group is created and changed at once, and the server has it so', async () => {
  const [inner, id] = [await newGroup([here.org.guest.id]), await newGroup([here.org.member.id])]
  const administrators = await system('administrators')
  await put(id, here.org.other.id)
  await put(id, here.org.member.id, false)
  await nest(id, inner)
  await change(id, 'name', 'gauge team')
  await change(id, 'description', 'Mention when a gauge needs hands.')
  await change(id, 'mention', { people: [here.org.other.id], groups: [administrators] })
  await change(id, 'join', { people: [], groups: [administrators] })
  await change(id, 'leave', { people: [], groups: [] })
  const wanted = {
    name: 'gauge team',
    description: 'Mention when a gauge needs hands.',
    memberIds: [here.org.other.id],
    subgroupIds: [inner],
    holders: {
      mention: { people: [here.org.other.id], groups: [administrators] },
      join: { people: [], groups: [administrators] },
      leave: { people: [], groups: [] },
    },
  }
  expect(await group(id)).toMatchObject(wanted)
  await empty()
  expect(await onServer(id)).toMatchObject({
    name: 'gauge team',
    members: [here.org.other.id],
    direct_subgroup_ids: [inner],
    can_mention_group: { direct_members: [here.org.other.id], direct_subgroups: [administrators] },
    can_join_group: administrators,
    can_leave_group: await system('nobody'),
  })
  expect(await group(id)).toMatchObject(wanted)
})

test('without the server groups change at once, survive a restart, and the server learns of it', async () => {
  const [id, resting] = [await newGroup([here.org.member.id]), await newGroup()]
  const name = (await group(id)).name
  await offline()
  await put(id, here.org.owner.id)
  await change(id, 'description', 'Offline words')
  await change(resting, 'active', false)
  await act({
    name: 'create-group',
    groupName: 'later',
    description: '',
    people: [here.org.member.id],
    groups: [id],
  })
  await here.device.restart()
  expect(await group(id)).toMatchObject({
    description: 'Offline words',
    memberIds: [here.org.member.id, here.org.owner.id],
    isOwn: true,
  })
  expect(await group(resting)).toMatchObject({ isDeactivated: true })
  expect(await titles()).toEqual([
    `@${name}: ${here.org.owner.name} added`,
    `Description of @${name}`,
    `@${(await group(resting)).name} deactivated`,
    'New group @later',
  ])
  await online()
  await empty()
  expect(await onServer(id)).toMatchObject({
    description: 'Offline words',
    members: [here.org.member.id, here.org.owner.id],
  })
  expect(await onServer(resting)).toMatchObject({ deactivated: true })
  expect((await groupsOnServer()).find((one) => one['name'] === 'later')).toMatchObject({
    members: [here.org.member.id],
    direct_subgroup_ids: [id],
  })
  await change(resting, 'active', true)
  await empty()
  expect(await onServer(resting)).toMatchObject({ deactivated: false })
})

test('opposites that never left leave nothing, and of many values the last is sent', async () => {
  const [id, inner] = [await newGroup([here.org.member.id]), await newGroup()]
  const { name } = await group(id)
  const members = await system('members')
  const everyone = { people: [], groups: [await system('everyone')] }
  await offline()
  await put(id, here.org.other.id)
  await nest(id, inner)
  await change(id, 'name', 'between', name)
  await change(id, 'mention', { people: [], groups: [members] }, everyone)
  await change(id, 'active', false, true)
  await change(id, 'active', true, false)
  await put(id, here.org.other.id, false)
  await nest(id, inner, false)
  await change(id, 'name', name, 'between')
  await change(id, 'mention', { people: [here.org.other.id], groups: [] }, { people: [], groups: [members] })
  // No change: they are already a member.
  await put(id, here.org.member.id)
  expect(await titles()).toEqual([`Permissions of @${name}`])
  await online()
  await empty()
  expect(await onServer(id)).toMatchObject({
    name,
    members: [here.org.member.id],
    direct_subgroup_ids: [],
    deactivated: false,
    can_mention_group: { direct_members: [here.org.other.id], direct_subgroups: [] },
  })
})

test('who may do what is not changed over what somebody else decided meanwhile', async () => {
  const [id, same] = [await newGroup(), await newGroup()]
  const [members, moderators, everyone] = [
    await system('members'),
    await system('moderators'),
    await system('everyone'),
  ]
  const wish = { people: [], groups: [members] }
  const before = { people: [], groups: [everyone] }
  await offline()
  await change(id, 'mention', wish, before)
  // The other person made the same change, so it is not refused.
  await change(same, 'mention', wish, before)
  decide(same, members)
  decide(id, moderators)
  await online()
  expect(await refusals(1)).toEqual([expect.stringMatching(/^Not changed\. Someone else changed this/)])
  expect(await onServer(id)).toMatchObject({ can_mention_group: moderators })
  await here.device.until('groups', account(), (all) =>
    all.some(({ groupId, holders }) => groupId === id && holders.mention?.groups[0] === moderators),
  )
  expect((await group(same)).holders.mention).toEqual(wish)
})

test('a change of a group that the server already has counts as done', async () => {
  const [id, inner, idle] = [await newGroup([here.org.member.id]), await newGroup(), await newGroup()]
  await offline()
  await put(id, here.org.other.id)
  await put(id, here.org.member.id, false)
  await nest(id, inner)
  await change(idle, 'active', false)
  await act({
    name: 'create-group',
    groupName: 'twins',
    description: 'Two',
    people: [here.org.other.id],
    groups: [],
  })
  here.org.service.database.run(
    'UPDATE user_groups SET members = ?, subgroups = ? WHERE group_id = ?',
    JSON.stringify([here.org.other.id]),
    JSON.stringify([inner]),
    id,
  )
  here.org.service.database.run('UPDATE user_groups SET is_active = 0 WHERE group_id = ?', idle)
  here.org.service.database.run(
    `INSERT INTO user_groups (name, description, creator_id, date_created, members, subgroups)
     VALUES ('twins', 'Two', ?, 1, ?, '[]')`,
    here.org.owner.id,
    JSON.stringify([here.org.other.id]),
  )
  await online()
  await empty()
  expect(await onServer(id)).toMatchObject({ members: [here.org.other.id], direct_subgroup_ids: [inner] })
  expect((await groupsOnServer()).filter((one) => one['name'] === 'twins')).toHaveLength(1)
})

test('what the server refuses is undone here, and told why', async () => {
  const [outer, inner] = [await newGroup(), await newGroup()]
  await nest(outer, inner)
  await empty()
  const taken = (await group(outer)).name
  await change(inner, 'active', false)
  await change(inner, 'name', taken)
  await act({ name: 'create-group', groupName: taken, description: 'Another', people: [], groups: [] })
  expect(await refusals(3)).toEqual([
    expect.stringMatching(/^Not deactivated\. The group is part of another group/),
    expect.stringContaining('already exists'),
    expect.stringContaining('already exists'),
  ])
  await here.device.until('groups', account(), (all) =>
    all.some(({ groupId, name, isDeactivated }) => groupId === inner && name !== taken && !isDeactivated),
  )
})

test('a change of a user group with an impossible value is refused', async () => {
  const id = await newGroup()
  await expect(change(id, 'name', ' ')).rejects.toThrow()
  await expect(change(id, 'active', 'no')).rejects.toThrow()
  await expect(change(id, 'join', true)).rejects.toThrow()
  await expect(change(id, 'join', { people: [], groups: [] }, 'nobody')).rejects.toThrow()
  expect(await titles()).toEqual([])
})
