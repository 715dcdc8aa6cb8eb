import { expect, test } from 'vitest'
import { channelId, groupId, provisionalId, type ChannelId } from '../../src-shared/ids.ts'
import { deviceInOrganization } from '../support/organization-device.ts'
import { succeeded } from '../support/organization.ts'

// What is created offline is there at once, and what depends on it is sent after it.

const here = deviceInOrganization('owner')
const { account, act, empty, offline, online } = here
const create = async (channelName: string, description = ''): Promise<ChannelId> => {
  const { localId } = await act({
    name: 'create-channel',
    channelName,
    description,
    access: 'public',
    folderId: null,
    people: [here.org.member.id],
  })
  return channelId(provisionalId(localId))
}
const channel = (id: ChannelId) => here.device.ask('channel', { ...account(), channelId: id })
const write = (id: ChannelId, content: string) =>
  act({
    name: 'send-message',
    conversation: { kind: 'topic', channelId: id, topic: 'ebb' },
    content,
    draftId: null,
  })
const draft = async (id: ChannelId, content: string) =>
  here.device.bridge.call('save-draft', {
    ...account(),
    draftId: null,
    draft: { recipient: { kind: 'topic', channelId: id, topic: 'flow' }, content },
  })
const drafts = () => here.device.ask('drafts', account())
const sidebarChannels = async () =>
  (await here.device.ask('sidebar', account())).folders.flatMap(({ channels }) => channels)
const feed = (id: ChannelId) =>
  here.device.ask('feed', {
    ...account(),
    narrow: { kind: 'channel', channelId: id },
    around: 'newest',
    before: 9,
    after: 0,
  })
/** The service's channel with that name; undefined if there is none. */
const onServer = async (name: string): Promise<Record<string, unknown> | undefined> =>
  succeeded(await here.org.owner.get('/streams', { include_all: true })).streams.find(
    (one: { name: string }) => one.name === name,
  )
const wordsIn = async (id: unknown): Promise<string[]> =>
  succeeded(
    await here.org.owner.get('/messages', {
      anchor: 'newest',
      num_before: 20,
      num_after: 0,
      apply_markdown: false,
      narrow: [
        { operator: 'channel', operand: id },
        { operator: 'sender', operand: here.org.owner.id },
      ],
    }),
  ).messages.map(({ content }: { content: string }) => content)

test('a channel is there before the service has it, and what is written into it goes after it', async () => {
  await offline()
  const id = await create('loggers')
  expect(await channel(id)).toMatchObject({
    channelId: id,
    name: 'loggers',
    isSubscribed: true,
    canPost: true,
    isWaiting: true,
    subscriberCount: 2,
    creation: { state: { state: 'waiting' } },
  })
  await write(id, 'first')
  await write(id, 'second')
  await act({ name: 'set-subscription', channelId: id, property: 'pinned', value: true })
  await act({ name: 'set-subscription', channelId: id, property: 'color', value: 'plum' })
  await act({ name: 'change-channel', channelId: id, property: 'description', value: 'Loggers and datums' })
  const { draftId } = await draft(id, 'not done yet')

  await here.device.restart()
  expect(await sidebarChannels()).toContainEqual(
    expect.objectContaining({ channelId: id, isWaiting: true, isPinned: true, color: 'plum' }),
  )
  expect(await here.device.ask('channels', account())).toContainEqual(
    expect.objectContaining({ channelId: id, isWaiting: true, canPost: true }),
  )
  const list = { ...account(), which: 'all', text: 'logg', limit: 9 } as const
  expect((await here.device.ask('channel-list', list)).channels).toMatchObject([
    { channelId: id, isWaiting: true },
  ])
  const shown = await feed(id)
  expect(shown).toMatchObject({ messages: [], before: 'beginning', after: 'end' })
  expect(
    shown.waiting.map(({ contentMarkdown, state }) => [contentMarkdown, state.isBehindCreation]),
  ).toEqual([
    ['first', true],
    ['second', true],
  ])
  // Neither call asks the server, which does not know the channel.
  const asked = { ...account(), channelId: id }
  expect(await here.device.bridge.call('load-topics', asked)).toEqual({ known: 0 })
  expect(await here.device.bridge.call('load-subscribers', asked)).toEqual({ known: 0 })

  await online()
  await empty()
  const there = await onServer('loggers')
  expect(there).toMatchObject({ description: 'Loggers and datums' })
  expect(await wordsIn(there?.['stream_id'])).toEqual(['first', 'second'])
  const now = channelId(Number(there?.['stream_id']))
  // A window that still uses the provisional id gets the new one.
  expect(await channel(id)).toMatchObject({ channelId: now, isWaiting: false, creation: null })
  await here.device.until(
    'channel',
    { ...account(), channelId: now },
    (one) => one?.isPinned === true && one.color === 'plum' && one.isSubscribed,
  )
  expect((await sidebarChannels()).filter(({ name }) => name === 'loggers')).toHaveLength(1)
  await here.device.until('drafts', account(), (all) =>
    all.some((one) => one.id === draftId && one.state === 'synced'),
  )
  expect(await drafts()).toMatchObject([{ recipient: { kind: 'topic', channelId: now } }])
  await write(id, 'third')
  await empty()
  expect(await wordsIn(now)).toEqual(['first', 'second', 'third'])
  await here.device.bridge.call('delete-draft', { ...account(), draftId })
})

test('a name that somebody else took meanwhile is changed, and what waited goes after it', async () => {
  await offline()
  const id = await create('tides', 'Ours')
  await write(id, 'high water')
  here.org.service.createChannel('tides', [here.org.member.id])
  await online()
  const refused = await here.device.until(
    'channel',
    { ...account(), channelId: id },
    (one) => one?.creation?.state.state === 'refused',
  )
  expect(refused?.creation?.state.reason).toBe('Not created. A channel named #tides already exists.')
  // After a new registration, the channel and what waits in it are still here.
  await here.device.until(
    'channels',
    account(),
    (all) => all.filter(({ name }) => name === 'tides').length === 2,
  )
  expect(await sidebarChannels()).toContainEqual(expect.objectContaining({ channelId: id }))
  expect((await feed(id)).waiting).toMatchObject([
    { contentMarkdown: 'high water', state: { state: 'waiting', isBehindAnother: true } },
  ])
  await act({ name: 'change-channel', channelId: id, property: 'name', value: 'tides of the bay' })
  expect(await channel(id)).toMatchObject({ name: 'tides of the bay' })
  await empty()
  const there = await onServer('tides of the bay')
  expect(await wordsIn(there?.['stream_id'])).toEqual(['high water'])
})

test('taken back, a channel leaves its words as drafts, and nothing waits for it any more', async () => {
  await offline()
  const id = await create('surge')
  await write(id, 'kept words')
  await act({ name: 'set-subscription', channelId: id, property: 'muted', value: true })
  await draft(id, 'kept draft')
  const creation = (await channel(id))?.creation
  await here.device.bridge.call('discard-outbox-item', {
    ...account(),
    localId: creation?.localId ?? '',
  })
  expect(await channel(id)).toBe(null)
  expect((await sidebarChannels()).map(({ name }) => name)).not.toContain('surge')
  expect(await here.device.ask('outbox', account())).toEqual([])
  const kept = await drafts()
  expect(kept.map(({ recipient, content }) => [recipient, content])).toEqual(
    expect.arrayContaining([
      [null, 'kept words'],
      [null, 'kept draft'],
    ]),
  )
  await expect(write(id, 'too late')).rejects.toMatchObject({ failure: { code: 'NOT_THERE' } })
  await online()
  expect(await onServer('surge')).toBe(undefined)
  for (const one of kept) await here.device.bridge.call('delete-draft', { ...account(), draftId: one.id })
})

test('a folder and a group are listed before the service has them, and what depends on them goes after them', async () => {
  await offline()
  const made = await act({ name: 'create-folder', folderName: 'Hut', description: '' })
  const hut = provisionalId(made.localId)
  const loft = await create('loft')
  await act({ name: 'change-channel', channelId: loft, property: 'folder', value: hut })
  await act({ name: 'change-folder', folderId: hut, property: 'name', value: 'Hut life' })
  const people = [here.org.owner.id, here.org.member.id]
  const first = { name: 'create-group', groupName: 'keepers', description: '', people, groups: [] } as const
  const keepers = groupId(provisionalId((await act(first)).localId))
  const second = { ...first, groupName: 'around', people: [], groups: [keepers] }
  const around = provisionalId((await act(second)).localId)
  const member = { kind: 'person', userId: here.org.other.id } as const
  await act({ name: 'set-group-member', groupId: keepers, member, on: true })

  await here.device.restart()
  const lists = await here.device.ask('lists', account())
  expect(lists.folders.at(-1)).toMatchObject({ folderId: hut, name: 'Hut life', isWaiting: true })
  const { folders } = await here.device.ask('sidebar', account())
  expect(folders.find(({ name }) => name === 'Hut life')?.channels).toMatchObject([{ name: 'loft' }])
  const listed = await here.device.ask('groups', account())
  expect(listed.find(({ name }) => name === 'keepers')).toMatchObject({
    groupId: keepers,
    isWaiting: true,
    isOwn: true,
    memberIds: [...people, here.org.other.id],
  })
  expect(listed.find(({ name }) => name === 'around')).toMatchObject({
    groupId: around,
    subgroupIds: [keepers],
  })

  await online()
  await empty()
  const there = succeeded(await here.org.owner.get('/channel_folders')).channel_folders.find(
    ({ name }: { name: string }) => name === 'Hut life',
  )
  expect(await onServer('loft')).toMatchObject({ folder_id: there.id })
  const { user_groups: groups } = succeeded(await here.org.owner.get('/user_groups'))
  const kept = groups.find(({ name }: { name: string }) => name === 'keepers')
  expect(kept.members).toEqual([...people, here.org.other.id])
  const outer = groups.find(({ name }: { name: string }) => name === 'around')
  expect(outer.direct_subgroup_ids).toEqual([kept.id])
  const now = await here.device.ask('groups', account())
  expect(now.filter(({ isWaiting }) => isWaiting)).toEqual([])
  expect(now.filter(({ name }) => name === 'keepers')).toMatchObject([{ groupId: kept.id }])
  expect((await here.device.ask('lists', account())).folders.at(-1)).toMatchObject({
    folderId: there.id,
    isWaiting: false,
  })
})

test('taken back, a folder leaves its channel, and a group those that it was to be in', async () => {
  await offline()
  const attic = await act({ name: 'create-folder', folderName: 'Attic', description: '' })
  const id = await create('beam')
  await act({
    name: 'change-channel',
    channelId: id,
    property: 'folder',
    value: provisionalId(attic.localId),
  })
  const bare = { name: 'create-group', groupName: 'inner', description: '', people: [], groups: [] } as const
  const inner = await act(bare)
  await act({ ...bare, groupName: 'outer', groups: [groupId(provisionalId(inner.localId))] })
  for (const { localId } of [attic, inner])
    await here.device.bridge.call('discard-outbox-item', { ...account(), localId })
  expect(await channel(id)).toMatchObject({ folderId: null })
  expect((await here.device.ask('lists', account())).folders.map(({ name }) => name)).not.toContain('Attic')
  expect((await here.device.ask('groups', account())).map(({ name }) => name)).not.toContain('inner')
  await online()
  await empty()
  expect(await onServer('beam')).toMatchObject({ folder_id: null })
  const all = succeeded(await here.org.owner.get('/user_groups')).user_groups
  expect(all.find(({ name }: { name: string }) => name === 'outer')).toMatchObject({
    direct_subgroup_ids: [],
  })
})

test('the words of a channel, folder or group that is discarded are listed with the deleted drafts', async () => {
  await offline()
  const description = 'Where the gauges are'
  const gauges = await create('gauges', description)
  await act({ name: 'change-channel', channelId: gauges, property: 'description', value: 'Where they were' })
  await act({ name: 'create-folder', folderName: 'Gauges', description })
  await act({ name: 'create-group', groupName: 'readers', description: '', people: [], groups: [] })
  const waiting = await here.device.ask('outbox', account())
  expect(waiting.map(({ contentMarkdown, beyondTitle }) => [contentMarkdown, beyondTitle])).toEqual([
    ['gauges\n\nWhere they were', 'Where they were'],
    [`Gauges\n\n${description}`, description],
    ['readers', null],
  ])
  const discarded = waiting.map(({ localId }) =>
    here.device.bridge.call('discard-outbox-item', { ...account(), localId }),
  )
  const ids = (await Promise.all(discarded)).map(({ draftId }) => draftId)
  expect(await here.device.ask('outbox', account())).toEqual([])
  const ended = await here.device.ask('ended-drafts', account())
  expect(ids.map((id) => ended.find((one) => one.id === id))).toMatchObject([
    { recipient: null, content: 'gauges\n\nWhere they were' },
    { recipient: null, content: `Gauges\n\n${description}` },
    { recipient: null, content: 'readers' },
  ])
  await online()
})
