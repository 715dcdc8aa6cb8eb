import { afterEach, expect, test } from 'vitest'
import { accountId, channelId, messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import type { Feed } from '../../../src-shared/model/feed.ts'
import { feed } from '../../../src-main/queries/feed.ts'
import { hasMessage, removeMessages } from '../../../src-main/store/messages.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { userById } from '../../../src-server/workspace.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, sendMany, type World } from './world.ts'

// Messages that came into a known topic or list while events were missed: they were moved, or starred elsewhere.

let world: World
let device: ModelDevice

afterEach(() => world.close())

async function open() {
  world = await createWorld(1)
  device = deviceOf(world)
}

const hear = (count: number, inChannel: number, topic: string) => sendMany(world, count, inChannel, topic)

const pages = (from: number) =>
  device.requests.slice(from).filter(({ path }) => path.startsWith('/messages?')).length

test('messages that were moved into a topic while events were missed come when it is opened', async () => {
  await open()
  const far = createChannel(world.workspace, world.other, { name: 'far', description: '' }).channel_id
  hear(5, far, 'old')
  hear(261, world.channelId, 'drift')
  await world.pass(60_000)
  const narrow = topicConversation(world.channelId, 'drift')
  const answers: Feed[] = []
  const shown = () => answers.at(-1)
  const look = (edge: 'newest' | number) => {
    const around = edge === 'newest' ? edge : messageId(edge)
    const span = { around, before: edge === 'newest' ? 100 : 0, after: 100 } as const
    const params = { accountId: accountId('model'), narrow, ...span }
    return device.account.watch('feed', params, (json) => answers.push(JSON.parse(json) as Feed))
  }
  const words = () => shown()?.messages.map(({ contentHtml }) => contentHtml.replaceAll(/<[^>]+>/g, '')) ?? []
  await device.account.sync.loadOlder(narrow, null)
  await device.account.sync.loadOlder(narrow, messageId(67))
  await world.pass(1_000)
  look(1)()
  expect(shown()).toMatchObject({ before: 'beginning' })
  expect(words()[0]).toBe('drift 0')

  device.setConnected(false)
  await world.pass(1_000)
  world.workspace.db.run('UPDATE users SET role = 200 WHERE user_id = ?', world.other.user_id)
  const move = `stream_id=${world.channelId}&topic=drift&propagate_mode=change_all&send_notification_to_new_thread=false`
  const mover = userById(world.workspace.db, world.other.user_id)
  expect(await world.ask('PATCH', '/messages/1', move, mover)).toBe(200)
  device.loseQueue()
  device.setConnected(true)
  await world.pass(10 * 60_000)
  const before = device.requests.length
  const leave = look('newest')
  await world.pass(1_000)
  // Its newest page came before anybody looked.
  expect(pages(before)).toBe(0)
  expect(shown()).toMatchObject({ after: 'end', gapsAfter: [] })
  leave()
  const stop = look(6)
  await world.pass(1_000)
  stop()
  look(1)()
  expect(words().slice(0, 6)).toEqual(['old 0', 'old 1', 'old 2', 'old 3', 'old 4', 'drift 0'])
  expect(shown()).toMatchObject({ before: 'beginning' })
  expect(pages(before)).toBe(1)

  // Once is enough, also after a restart.
  device.restart()
  await world.pass(60_000)
  const later = device.requests.length
  const end = look(1)
  await world.pass(1_000)
  end()
  look('newest')()
  await world.pass(1_000)
  expect(pages(later)).toBe(0)
})

test('messages that were moved meanwhile into a topic that is followed, or was opened, come without a look; few are asked for', async () => {
  await open()
  const far = createChannel(world.workspace, world.other, { name: 'far', description: '' }).channel_id
  hear(3, far, 'old')
  const opened = Array.from({ length: 30 }, (_, index) => `opened ${index}`)
  for (const topic of ['followed', ...opened]) hear(1, world.channelId, topic)
  // Only the newest of these are fetched again.
  hear(2_050, world.channelId, 'noise')
  await world.pass(60_000)
  const follow = `stream_id=${world.channelId}&topic=followed&visibility_policy=3`
  await world.ask('POST', '/user_topics', follow)
  const place = (topic: string) => topicConversation(world.channelId, topic)
  for (const topic of opened) await device.account.sync.loadOlder(place(topic), null)
  device.setConnected(false)
  await world.pass(1_000)
  world.workspace.db.run('UPDATE users SET role = 200 WHERE user_id = ?', world.other.user_id)
  const mover = userById(world.workspace.db, world.other.user_id)
  const targets = ['followed', 'opened 29', 'opened 0']
  for (const [index, topic] of targets.entries()) {
    const to = `stream_id=${world.channelId}&topic=${topic}&send_notification_to_new_thread=false`
    expect(await world.ask('PATCH', `/messages/${index + 1}`, to, mover)).toBe(200)
  }
  device.loseQueue()
  const from = device.requests.length
  device.setConnected(true)
  await world.pass(180_000)
  expect(targets.map((_, index) => hasMessage(device.store.db, index + 1))).toEqual([true, true, false])
  const ofTopics = () => device.requests.slice(from).filter(({ path }) => path.includes('%22topic%22'))
  expect(ofTopics()).toHaveLength(20)
  // Once is enough, also after a restart.
  device.restart()
  await world.pass(60_000)
  expect(ofTopics()).toHaveLength(20)
})

test('while the server asks for patience, what comes into a topic does not make it asked again', async () => {
  await open()
  hear(5, world.channelId, 'drift')
  await world.pass(60_000)
  device.setConnected(false)
  await world.pass(1_000)
  device.loseQueue()
  device.setConnected(true)
  await world.pass(10 * 60_000)
  const narrow = { kind: 'channel', channelId: channelId(world.channelId) } as const
  const params = { accountId: accountId('model'), narrow, around: 'newest', before: 100, after: 100 } as const
  device.faults.calls.push(...Array.from({ length: 20 }, () => 'too-many' as const))
  const from = device.requests.length
  const stop = device.account.watch('feed', params, () => {})
  for (let round = 0; round < 10; round++) {
    hear(1, world.channelId, 'drift')
    await world.pass(200)
  }
  expect(pages(from)).toBeLessThan(4)
  device.faults.calls.length = 0
  await world.pass(5 * 60_000)
  expect(
    device.requests.slice(from).some(({ path, outcome }) => path.startsWith('/messages?') && outcome === 200),
  ).toBe(true)
  stop()
})

test('messages that were starred elsewhere while events were missed come into the list', async () => {
  await open()
  const far = createChannel(world.workspace, world.other, { name: 'far', description: '' }).channel_id
  hear(2, far, 'old')
  // After a gap, only the newest of these are fetched again.
  hear(3_200, world.channelId, 'drift')
  await world.pass(60_000)
  const star = (ids: number[]) =>
    world.ask('POST', '/messages/flags', `messages=${JSON.stringify(ids)}&op=add&flag=starred`)
  // More than one page.
  const own = Array.from({ length: 261 }, (_, index) => index + 2_942)
  await star(own)
  await world.pass(1_000)
  await device.account.sync.loadOlder({ kind: 'starred' }, null)
  await device.account.sync.loadOlder({ kind: 'starred' }, messageId(3_003))
  const starred = () => {
    const span = { around: 'newest', before: 400, after: 0 } as const
    const params = { accountId: accountId('model'), narrow: { kind: 'starred' } as const, ...span }
    const { messages, before, after } = feed(device.account.queryContext(), params)
    return [before, ...messages.map(({ id }) => Number(id)), after]
  }
  expect(starred()).toEqual(['beginning', ...own, 'end'])
  device.setConnected(false)
  await world.pass(1_000)
  expect(await star([2])).toBe(200)
  device.loseQueue()
  device.setConnected(true)
  await world.pass(60_000)
  expect(starred()).toEqual(['beginning', 2, ...own, 'end'])
})

test('starred messages beyond what is here of the list come with its pages, not all at once', async () => {
  await open()
  hear(2_300, world.channelId, 'drift')
  const all = Array.from({ length: 261 }, (_, index) => index + 1)
  await world.ask('POST', '/messages/flags', `messages=${JSON.stringify(all)}&op=add&flag=starred`)
  // The texts of unread ones are fetched in any case.
  await world.ask('POST', '/messages/flags', `messages=${JSON.stringify(all)}&op=add&flag=read`)
  await world.pass(60_000)
  const old = all.slice(0, 50)
  // As if they were older than the history that is kept.
  device.store.write((db) => {
    removeMessages(db, old)
    db.run("DELETE FROM ranges WHERE narrow_key = 'starred'")
  })
  device.setConnected(false)
  await world.pass(1_000)
  device.loseQueue()
  device.setConnected(true)
  await world.pass(60_000)
  expect(old.filter((id) => hasMessage(device.store.db, id))).toEqual([])
  await device.account.sync.loadOlder({ kind: 'starred' }, messageId(62))
  expect(old.filter((id) => hasMessage(device.store.db, id))).toEqual(old)
})
