import { expect, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { channelId, userId as asUserId, type ChannelId } from '../../src-shared/ids.ts'
import { channelPermissionNames, channelPermissions } from '../../src-shared/model/organization-edits.ts'
import { deviceInOrganization } from '../support/organization-device.ts'
import { succeeded } from '../support/organization.ts'

// Changes of channels and folders apply at once, online and offline.

let made = 0

type Value = Extract<ActionInput, { name: 'change-channel' }>['value']
const here = deviceInOrganization('owner')
const { account, act, titles, empty, refusals, offline, online } = here
const change = (
  id: ChannelId,
  property: Extract<ActionInput, { name: 'change-channel' }>['property'],
  value: Value,
  before?: Value,
) => act({ name: 'change-channel', channelId: id, property, value, before })
const changeFolder = (
  folderId: number,
  property: 'name' | 'description' | 'archived',
  value: string | boolean,
  before?: string | boolean,
) => act({ name: 'change-folder', folderId, property, value, before })
const create = (
  channelName: string,
  fields: Partial<Extract<ActionInput, { name: 'create-channel' }>> = {},
) =>
  act({
    name: 'create-channel',
    channelName,
    description: '',
    access: 'public',
    folderId: null,
    people: [],
    ...fields,
  })
const channel = (id: ChannelId) => here.device.ask('channel', { ...account(), channelId: id })
const folders = async () => (await here.device.ask('lists', account())).folders
const folder = async (id: number) => (await folders()).find(({ folderId }) => folderId === id)
const allOnServer = async (): Promise<Record<string, unknown>[]> =>
  succeeded(await here.org.owner.get('/streams', { include_all: true, exclude_archived: false })).streams
const onServer = async (id: ChannelId) => (await allOnServer()).find((one) => one['stream_id'] === id)
const foldersOnServer = async (): Promise<Record<string, unknown>[]> =>
  succeeded(await here.org.owner.get('/channel_folders', { include_archived: true })).channel_folders
const system = async (name: string): Promise<number> =>
  succeeded(await here.org.owner.get('/user_groups')).user_groups.find(
    (one: { name: string }) => one.name === `role:${name}`,
  ).id

/** A channel that the person creates, here and on the server. */
async function newChannel(): Promise<ChannelId> {
  const channelName = `flat ${++made}`
  await create(channelName)
  // The event may arrive before the answer: until both are here, the channel is listed twice.
  await empty()
  const all = await here.device.until('channels', account(), (known) =>
    known.some((one) => one.name === channelName && one.isSubscribed && !one.isWaiting),
  )
  return all.find(({ name }) => name === channelName)?.channelId ?? channelId(0)
}
async function newFolder(): Promise<number> {
  const folderName = `drawer ${++made}`
  await act({ name: 'create-folder', folderName, description: '' })
  await empty()
  const { folders } = await here.device.until('lists', account(), (known) =>
    known.folders.some(({ name, isWaiting }) => name === folderName && !isWaiting),
  )
  return folders.find(({ name }) => name === folderName)?.folderId ?? 0
}

test('a channel is created and changed at once, and the server has it so', async () => {
  const [id, drawer] = [await newChannel(), await newFolder()]
  const [moderators, members] = [await system('moderators'), await system('members')]
  const name = `tide gauges ${++made}`
  await change(id, 'name', name)
  await change(id, 'description', 'Loggers and datums')
  await change(id, 'access', 'private-no-history')
  await change(id, 'folder', drawer)
  await change(id, 'topics', 'required')
  await change(id, 'retention', 30)
  await change(id, 'post', { people: [here.org.member.id], groups: [moderators] })
  await change(id, 'addSubscribers', { people: [], groups: [members] })
  const wanted = {
    name,
    description: 'Loggers and datums',
    privacy: 'private',
    hasSharedHistory: false,
    folderId: drawer,
    topics: 'required',
    retentionDays: 30,
    canPost: true,
  }
  expect(await channel(id)).toMatchObject(wanted)
  await empty()
  expect(await onServer(id)).toMatchObject({
    name,
    description: 'Loggers and datums',
    invite_only: true,
    history_public_to_subscribers: false,
    folder_id: drawer,
    topics_policy: 'disable_empty_topic',
    message_retention_days: 30,
    can_send_message_group: { direct_members: [here.org.member.id], direct_subgroups: [moderators] },
    can_add_subscribers_group: members,
  })
  expect(await channel(id)).toMatchObject(wanted)
  for (const topics of ['optional', 'none', 'required'] as const) {
    await change(id, 'topics', topics)
    expect(await channel(id)).toMatchObject({ topics })
  }
  await empty()
  // The person posts as a moderator, so a permission only for a member excludes them.
  await change(id, 'post', { people: [here.org.member.id], groups: [] })
  expect(await channel(id)).toMatchObject({ canPost: false })
  await change(id, 'access', 'public')
  await change(id, 'retention', -1)
  await empty()
  expect(await onServer(id)).toMatchObject({ invite_only: false, message_retention_days: -1 })
  await change(id, 'retention', null)
  await change(id, 'folder', null)
  await empty()
  expect(await onServer(id)).toMatchObject({ message_retention_days: null, folder_id: null })
})

test('without the server channels and folders change at once, survive a restart, and the server learns of it', async () => {
  const [id, done, first, second] = [
    await newChannel(),
    await newChannel(),
    await newFolder(),
    await newFolder(),
  ]
  const before = (await channel(id))?.name ?? ''
  const others = (await folders()).map(({ folderId }) => folderId).filter((one) => one !== second)
  await change(id, 'folder', first)
  await empty()
  await offline()
  await change(id, 'name', 'renamed offline', before)
  // A folder must be empty before it is archived.
  await change(id, 'folder', second)
  await changeFolder(first, 'archived', true)
  await changeFolder(second, 'name', 'Hut', 'drawer')
  await changeFolder(second, 'name', 'Hut life', 'Hut')
  await act({ name: 'order-folders', order: [second, ...others] })
  await change(done, 'archived', true)
  await create('created offline', { access: 'private', folderId: second, people: [here.org.member.id] })
  await act({ name: 'create-folder', folderName: 'Later', description: 'Not yet' })
  await here.device.restart()
  expect(await channel(id)).toMatchObject({ name: 'renamed offline', folderId: second })
  expect(await channel(done)).toMatchObject({ isArchived: true })
  expect(await folder(first)).toMatchObject({ isArchived: true })
  expect((await folders())[0]).toMatchObject({ folderId: second, name: 'Hut life' })
  expect(before).not.toBe('renamed offline')
  expect(await titles()).toEqual([
    `#${before} renamed to #renamed offline`,
    'Folder of #renamed offline',
    expect.stringMatching(/^Folder “drawer \d+” archived$/),
    'Folder “drawer” renamed to “Hut life”',
    'Order of the folders',
    expect.stringMatching(/^#flat \d+ archived$/),
    'New channel #created offline',
    'New folder “Later”',
  ])
  await online()
  await empty()
  expect(await onServer(id)).toMatchObject({ name: 'renamed offline', folder_id: second })
  expect(await onServer(done)).toMatchObject({ is_archived: true })
  const served = await foldersOnServer()
  expect(served.find((one) => one['id'] === first)).toMatchObject({ is_archived: true })
  expect(served[0]).toMatchObject({ id: second, name: 'Hut life' })
  expect(served.find((one) => one['name'] === 'Later')).toMatchObject({ description: 'Not yet' })
  const made = (await allOnServer()).find((one) => one['name'] === 'created offline')
  expect(made).toMatchObject({ invite_only: true, folder_id: second, subscriber_count: 2 })
  await change(done, 'archived', false)
  await changeFolder(first, 'archived', false)
  await empty()
  expect(await onServer(done)).toMatchObject({ is_archived: false })
})

test('opposites that never left leave nothing, and of many values the last is sent', async () => {
  const [id, drawer, other] = [await newChannel(), await newFolder(), await newFolder()]
  const { name = '' } = (await channel(id)) ?? {}
  const drawerName = (await folder(drawer))?.name ?? ''
  const order = (await folders()).map(({ folderId }) => folderId)
  await offline()
  await change(id, 'name', 'between', name)
  await change(id, 'folder', drawer, null)
  await change(id, 'topics', 'optional', 'inherit')
  await change(id, 'archived', true, false)
  await change(id, 'archived', false, true)
  await change(id, 'name', name, 'between')
  await change(id, 'folder', null, drawer)
  await change(id, 'topics', 'required', 'optional')
  await changeFolder(drawer, 'name', 'Between', drawerName)
  await changeFolder(other, 'description', 'One', '')
  await changeFolder(drawer, 'name', drawerName, 'Between')
  await changeFolder(other, 'description', 'Two', 'One')
  await act({ name: 'order-folders', order: [...order].reverse() })
  await act({ name: 'order-folders', order: [other, drawer] })
  expect(await titles()).toEqual([
    `Topics in #${name}`,
    `Description of folder “${(await folder(other))?.name}”`,
    'Order of the folders',
  ])
  expect((await folders()).slice(0, 2).map(({ folderId }) => folderId)).toEqual([other, drawer])
  // A change that another device already made counts as done; a different value from elsewhere is kept.
  const [kept, same] = [channelId(here.org.plaza), channelId(here.org.lobby)]
  const groups = await here.device.ask('groups', account())
  const [members = 0, moderators = 0, everyone = 0] = ['members', 'moderators', 'everyone'].map(
    (role) => groups.find((one) => one.name === `role:${role}`)?.groupId,
  )
  const wish = { people: [], groups: [members] }
  for (const one of [kept, same]) await change(one, 'post', wish, { people: [], groups: [everyone] })
  await create('twin channel', { description: 'Two' })
  for (const [one, holder] of [
    [kept, moderators],
    [same, members],
  ] as const)
    here.org.service.database.run(
      `INSERT OR REPLACE INTO permission_values VALUES ('channel', ?, 'can_send_message_group', ?)`,
      one,
      JSON.stringify(holder),
    )
  await online()
  expect(await refusals(1)).toEqual([expect.stringMatching(/^Not changed\. Someone else changed this/)])
  expect(await onServer(kept)).toMatchObject({ can_send_message_group: moderators })
  expect(await onServer(id)).toMatchObject({ name, folder_id: null, topics_policy: 'disable_empty_topic' })
  expect((await foldersOnServer()).slice(0, 2).map((one) => one['id'])).toEqual([other, drawer])
})

test('what the server refuses is undone here, and told why', async () => {
  const [id, drawer] = [await newChannel(), await newFolder()]
  const taken = (await channel(channelId(here.org.plaza)))?.name ?? ''
  await change(id, 'folder', drawer)
  await empty()
  await create(taken, { description: 'Another' })
  await change(id, 'name', taken)
  await changeFolder(drawer, 'archived', true)
  // None of the refused changes is a message.
  const three = { changes: 3, messages: 0 }
  await here.device.until('sync-state', account(), ({ needsYou }) => needsYou.changes === three.changes)
  expect(await here.device.ask('sync-state', account())).toMatchObject({ needsYou: three })
  expect(await refusals(3)).toEqual([
    `Not created. A channel named #${taken} already exists.`,
    expect.stringContaining('already in use'),
    expect.stringContaining('remove all the channels'),
  ])
  await here.device.until('channel', { ...account(), channelId: id }, (value) => value?.name !== taken)
  await here.device.until('lists', account(), (known) =>
    known.folders.some(({ folderId, isArchived }) => folderId === drawer && !isArchived),
  )
})

test('an answer that was lost makes nothing twice', async () => {
  // The state that a retrying device finds: the channel is there, by this person, with the same fields.
  const fields = { name: 'asked again', description: 'Once', subscribers: [here.org.owner.id] }
  const { id } = succeeded(await here.org.owner.post('/channels/create', fields))
  succeeded(
    await here.org.owner.post('/channel_folders/create', { name: 'Asked again', description: 'Once' }),
  )
  await create('asked again', { description: 'Once' })
  await act({ name: 'create-folder', folderName: 'Asked again', description: 'Once' })
  await empty()
  expect((await allOnServer()).filter((one) => one['name'] === 'asked again')).toHaveLength(1)
  succeeded(await here.org.owner.delete(`/streams/${id}`))
  await here.device.until(
    'channel',
    { ...account(), channelId: channelId(id) },
    (value) => value?.isArchived === true,
  )
})

test('an edit of a channel with an impossible value is refused', async () => {
  const id = await newChannel()
  for (const [property, value] of [
    ['name', ' spaced '],
    ['description', 'two\nlines'],
    ['access', 'hidden'],
    ['folder', 'Fieldwork'],
    ['retention', 0],
    ['archived', null],
    ['post', 7],
  ] as const)
    await expect(change(id, property, value)).rejects.toThrow()
  expect(await titles()).toEqual([])
})

test('what must not hold a permission is known, and the server refuses just that', async () => {
  const id = await newChannel()
  const settings = await here.device.ask('channel-settings', { ...account(), channelId: id })
  const everyone = await system('everyone')
  const refused = new Set<string>()
  for (const name of channelPermissionNames) {
    const { field } = channelPermissions[name]
    const answer = await here.org.owner.patch(`/streams/${id}`, {
      [field]: JSON.stringify({ new: everyone }),
    })
    if (answer.status !== 200) refused.add(name)
  }
  expect(refused.size).toBeGreaterThan(0)
  const barred = channelPermissionNames.filter((name) =>
    settings?.barred[name].some((group) => group === 'role:everyone'),
  )
  expect(new Set(barred)).toEqual(refused)
  for (const name of channelPermissionNames) expect(settings?.barred[name]).toContain('role:internet')
})

test('whether messages need a topic is chosen by those whom the organization lets', async () => {
  const id = await newChannel()
  const mayChange = (expected: boolean) =>
    here.device.until(
      'channel-settings',
      { ...account(), channelId: id },
      (settings) => settings?.may.changeTopics === expected,
    )
  await mayChange(true)
  const lets = async (name: string) =>
    succeeded(
      await here.org.owner.patch('/realm', {
        can_set_topics_policy_group: JSON.stringify({ new: await system(name) }),
      }),
    )
  await lets('nobody')
  await mayChange(false)
  await change(id, 'topics', 'required')
  expect(await refusals(1)).toHaveLength(1)
  await lets('members')
  await mayChange(true)
})

const setMember = (id: ChannelId, userId: number, on: boolean) =>
  act({ name: 'set-channel-member', channelId: id, userId: asUserId(userId), on })
const inIt = async (id: ChannelId): Promise<number[]> =>
  (await here.device.ask('channel-people', { ...account(), channelId: id, text: '', limit: 100 })).people.map(
    ({ userId }) => userId,
  )
const inItOnServer = async (id: ChannelId): Promise<number[]> =>
  succeeded(await here.org.owner.get(`/streams/${id}/members`)).subscribers

test('people are put into a channel and taken out at once, without the server too, and opposites leave nothing', async () => {
  const { owner, member, other, admin } = here.org
  const id = await newChannel()
  await setMember(id, member.id, true)
  expect(await inIt(id)).toContain(member.id)
  await empty()
  expect((await inItOnServer(id)).sort()).toEqual([owner.id, member.id].sort())

  await offline()
  await setMember(id, member.id, false)
  await setMember(id, admin.id, true)
  await setMember(id, other.id, true)
  // A change for another person in between does not prevent the merge.
  await setMember(id, admin.id, false)
  // No change: the owner is already in it.
  await setMember(id, owner.id, true)
  await here.device.restart()
  expect((await inIt(id)).sort()).toEqual([owner.id, other.id].sort())
  expect(await channel(id)).toMatchObject({ subscriberCount: 2 })
  const { changes } = await here.device.ask('channel-people', {
    ...account(),
    channelId: id,
    text: '',
    limit: 9,
  })
  expect(changes).toMatchObject([
    { userId: member.id, on: false, state: { state: 'waiting' } },
    { userId: other.id, on: true, state: { state: 'waiting' } },
  ])
  const name = `#${(await channel(id))?.name ?? ''}`
  expect(await titles()).toEqual([
    `${member.row.full_name} removed from ${name}`,
    `${other.row.full_name} added to ${name}`,
  ])
  await online()
  await empty()
  expect((await inItOnServer(id)).sort()).toEqual([owner.id, other.id].sort())
  expect(await channel(id)).toMatchObject({ subscriberCount: 2 })
})

test('somebody who cannot be put into a channel is told of, and is not in it', async () => {
  const { other, service } = here.org
  const id = await newChannel()
  // This device gets no event about it.
  service.database.run('UPDATE users SET is_active = 0 WHERE user_id = ?', other.id)
  await setMember(id, other.id, true)
  expect(await inIt(id)).toContain(other.id)
  expect(await refusals(1)).toEqual([`'${other.row.full_name}' is deactivated`])
  await expect.poll(() => inIt(id)).not.toContain(other.id)
  service.database.run('UPDATE users SET is_active = 1 WHERE user_id = ?', other.id)
})
