import { expect, test } from 'vitest'
import { channelId, provisionalId, type ChannelId } from '../../src-shared/ids.ts'
import { deviceInOrganization } from '../support/organization-device.ts'
import { succeeded } from '../support/organization.ts'

// What is founded without the server is there at once, and what depends on it goes after it.

const here = deviceInOrganization('member')
const { account, act, empty, offline, online } = here
const create = async (channelName: string): Promise<ChannelId> => {
  const { localId } = await act({
    name: 'create-channel',
    channelName,
    description: '',
    access: 'public',
    folderId: null,
    people: [here.org.owner.id],
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
/** What the service has of a channel with that name; undefined for none. */
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
        { operator: 'sender', operand: here.org.member.id },
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
    founding: { state: { state: 'waiting' } },
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
  expect(shown.waiting.map(({ contentMarkdown, state }) => [contentMarkdown, state.isBehindAnother])).toEqual(
    [
      ['first', true],
      ['second', true],
    ],
  )
  // Nothing of it asks the server, which does not know the channel.
  const asked = { ...account(), channelId: id }
  expect(await here.device.bridge.call('load-topics', asked)).toEqual({ known: 0 })
  expect(await here.device.bridge.call('load-subscribers', asked)).toEqual({ known: 0 })

  await online()
  await empty()
  const there = await onServer('loggers')
  expect(there).toMatchObject({ description: 'Loggers and datums' })
  expect(await wordsIn(there?.['stream_id'])).toEqual(['first', 'second'])
  const now = channelId(Number(there?.['stream_id']))
  // A window that still knows the old id is told the new one.
  expect(await channel(id)).toMatchObject({ channelId: now, isWaiting: false, founding: null })
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
  const id = await create('tides')
  await write(id, 'high water')
  here.org.service.createChannel('tides', [here.org.owner.id])
  await online()
  const refused = await here.device.until(
    'channel',
    { ...account(), channelId: id },
    (one) => one?.founding?.state.state === 'refused',
  )
  expect(refused?.founding?.state.reason).toBe('Not created. There is a channel named #tides already.')
  // Registered anew, after which it is still here, with what waits in it.
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
  const founding = (await channel(id))?.founding
  await here.device.bridge.call('discard-outbox-item', {
    ...account(),
    localId: founding?.localId ?? '',
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
