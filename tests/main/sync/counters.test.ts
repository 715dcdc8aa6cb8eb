import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { hasEmptied } from '../../../src-main/store/emptied-topics.ts'
import { noteLost, removeSomeLost } from '../../../src-main/store/lost-channels.ts'
import { putMessage, removeMessages } from '../../../src-main/store/messages.ts'
import { mentionTotal } from '../../../src-main/queries/unread-totals.ts'
import { addRange } from '../../../src-main/store/ranges.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { messageFields } from '../../support/message-fields.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'
import { message } from './tides.ts'

// Counters that are stored beside what they count, and that events change.

let server: ScriptedServer
let account: SyncedAccount

const edit = (id: number, flags: string[]) => ({
  type: 'update_message',
  user_id: 2,
  edit_timestamp: 1_700_000_100,
  message_id: id,
  message_ids: [id],
  flags,
  rendering_only: false,
  content: 'x',
  rendered_content: '<p>x</p>',
})
const lastEvent = () => account.rows<{ n: number }>('SELECT last_event_id AS n FROM sync')[0]?.n ?? -1
const tell = async (...events: object[]) => {
  const before = lastEvent()
  server.push(...events)
  await account.untilStill(() => lastEvent() === before + events.length)
}

const newestOf = (topic: string) =>
  account.rows<{ n: number }>('SELECT newest_message_id AS n FROM conversations WHERE topic = ?', topic)[0]?.n
const timesAsked = () => account.calls.filter((call) => call.endsWith('/topics')).length
const gone = (topic: string, ...ids: number[]) => ({
  type: 'delete_message',
  message_type: 'stream',
  stream_id: 7,
  topic,
  message_ids: ids,
})
/** The service has an older message of this topic that was never fetched. */
const hasOlder = (topic: string) =>
  server.answer('GET /users/me/7/topics', { success: { topics: [{ name: topic, max_id: 5 }] } })

beforeEach(async () => {
  server = await startScriptedServer({
    max_file_upload_size_mib: 25,
    subscriptions: [
      { stream_id: 7, name: 'tides', partial_subscribers: [1, 2], subscriber_count: 40 },
      { stream_id: 9, name: 'wind', subscribers: [1, 2], subscriber_count: 2 },
    ],
    never_subscribed: [{ stream_id: 8, name: 'birds', subscriber_count: 5 }],
    unread_msgs: {
      count: 1,
      streams: [{ stream_id: 7, topic: 'flood', unread_message_ids: [3] }],
    },
  })
  account = openSync(() => server.baseUrl, { email: 'ada@example.org', apiKey: 'k', userId: 1 })
  // The server returns no older messages, so the unread message stays without its text.
  server.answer('GET /messages', { error: 'BAD_REQUEST', status: 400 })
  await account.untilSynced()
})
afterEach(async () => {
  await account.close()
  await server.stop()
})

test('an edit that mentions the person, or no longer does, counts at once', async () => {
  const mentions = (topic: string) =>
    account.rows<{ n: number }>('SELECT mention_count AS n FROM conversations WHERE topic = ?', topic)[0]?.n
  await tell({ type: 'message', message: message(10), flags: [] })
  expect(mentions('ebb')).toBe(0)
  await tell(edit(10, ['mentioned']))
  expect(mentions('ebb')).toBe(1)
  await tell(edit(10, []))
  expect(mentions('ebb')).toBe(0)
  await tell({
    type: 'update_message_flags',
    op: 'add',
    flag: 'stream_wildcard_mentioned',
    messages: [3, 10],
  })
  expect(mentions('ebb')).toBe(1)
  // Also for a message whose text is not here.
  expect(mentions('flood')).toBe(1)
  await tell(edit(3, []))
  expect(mentions('flood')).toBe(0)
})

test('the mentions of a channel that is lost count no more on a server that does not tell a lost one from an archived one', async () => {
  server.snapshot['service_feature_level'] = 299
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  await tell({ type: 'message', message: message(10), flags: ['mentioned'] })
  expect(mentionTotal(account.store.db)).toBe(1)
  await tell(
    { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: 7, name: 'tides' }] },
    { type: 'stream', op: 'delete', streams: [{ stream_id: 7, name: 'tides' }] },
  )
  expect(mentionTotal(account.store.db)).toBe(0)
})

test('who leaves a channel is taken off its number, listed or not, and nobody twice', async () => {
  const count = (id: number) =>
    account.rows<{ n: number }>('SELECT subscriber_count AS n FROM channels WHERE channel_id = ?', id)[0]?.n
  const peers = (op: string, id: number, ...people: number[]) => ({
    type: 'subscription',
    op,
    stream_ids: [id],
    user_ids: people,
  })
  // The device lists some subscribers of the first channel, and none of the second.
  await tell(peers('peer_remove', 7, 2, 30))
  expect(count(7)).toBe(38)
  await tell(peers('peer_remove', 8, 30))
  expect(count(8)).toBe(4)
  await tell(peers('peer_add', 8, 30))
  expect(count(8)).toBe(5)
  // The device lists all subscribers of this channel.
  await tell(peers('peer_remove', 9, 30))
  expect(count(9)).toBe(2)
  const leave = { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: 7, name: 'tides' }] }
  await tell(leave, leave)
  expect(count(7)).toBe(37)
})

test('a topic that is known by name stays in the list of its channel when one of its older messages goes', async () => {
  server.answer('GET /users/me/7/topics', { success: { topics: [{ name: 'surge', max_id: 900 }] } })
  await account.sync.loadTopics(channelId(7))
  const newest = () =>
    account.rows<{ n: number }>("SELECT newest_message_id AS n FROM conversations WHERE topic = 'surge'")[0]
      ?.n
  await tell({ type: 'message', message: message(10, { subject: 'surge' }), flags: [] })
  await tell({ type: 'message', message: message(11, { subject: 'surge' }), flags: [] })
  await tell({ type: 'delete_message', message_ids: [11], message_type: 'stream' })
  expect(newest()).toBe(900)
  const move = { stream_id: 7, orig_subject: 'surge', subject: 'neap', propagate_mode: 'change_one' }
  await tell({ type: 'update_message', user_id: 2, message_id: 10, message_ids: [10], flags: [], ...move })
  expect(newest()).toBe(900)
  // The whole topic moves, and none of its messages is here.
  const whole = { ...move, subject: 'swell', propagate_mode: 'change_all' }
  await tell({ type: 'update_message', user_id: 2, message_id: 800, message_ids: [800, 900], ...whole })
  expect(newest()).toBe(0)
  expect(account.rows("SELECT newest_message_id AS n FROM conversations WHERE topic = 'swell'")).toEqual([
    { n: 900 },
  ])
})

test('the topics of a channel are fetched again when one may have lost all its messages, once there is a connection', async () => {
  const list = (...topics: object[]) => server.answer('GET /users/me/7/topics', { success: { topics } })
  list({ name: 'surge', max_id: 900 }, { name: 'swell', max_id: 800 }, { name: 'ebb', max_id: 11 })
  await account.sync.loadTopics(channelId(7))
  await tell(
    { type: 'message', message: message(10), flags: [] },
    { type: 'message', message: message(11), flags: [] },
  )
  const newest = () =>
    account
      .rows<{ n: number }>(
        "SELECT newest_message_id AS n FROM conversations WHERE topic IN ('surge', 'swell', 'ebb') ORDER BY topic DESC",
      )
      .map(({ n }) => n)
  expect(newest()).toEqual([800, 900, 11])
  const before = timesAsked()
  // Older ones, and the newest of which others are here.
  await tell(gone('Surge', 700), gone('ebb', 11))
  await account.clock.advance(5_000)
  expect(newest()).toEqual([800, 900, 10])
  expect(timesAsked()).toBe(before)
  // The service has trouble, and the program is restarted.
  server.answer('GET /users/me/7/topics', { error: 'trouble', status: 500 })
  await tell(gone('surge', 850, 900), gone('swell', 800))
  await account.until(() => timesAsked() > before)
  await account.restart()
  list({ name: 'swell', max_id: 750 }, { name: 'ebb', max_id: 10 })
  await account.until(() => newest()[0] === 750)
  await account.untilSynced()
  expect(newest()).toEqual([750, 0, 10])
  expect(timesAsked()).toBe(1)
})

test('topics are fetched again when a person has deleted the last message of one that is here', async () => {
  hasOlder('ebb')
  await tell({ type: 'message', message: message(10), flags: [] })
  account.store.write((db) => removeMessages(db, [10]))
  await tell(gone('ebb', 10))
  await account.until(() => newestOf('ebb') === 5)
  expect(timesAsked()).toBe(1)
})

test.each([
  ['change_one', 1],
  ['change_later', 1],
  ['change_all', 0],
])('topics are fetched again when the last message that is here moves away, with %s', async (mode, times) => {
  hasOlder('ebb')
  await tell({ type: 'message', message: message(10), flags: [] })
  const { content: _content, rendered_content: _html, ...moving } = edit(10, [])
  await tell({ ...moving, stream_id: 7, orig_subject: 'ebb', subject: 'surge', propagate_mode: mode })
  await account.untilSynced()
  expect(timesAsked()).toBe(times)
  expect(newestOf('ebb')).toBe(times === 0 ? 0 : 5)
})

test('after a large deletion, topics are fetched again once all of it is done', async () => {
  hasOlder('ebb')
  const ids = Array.from({ length: 5_000 }, (_, index) => 1_001 + index)
  account.store.write((db) => {
    for (const id of ids) putMessage(db, messageFields({ id, conversation: topicConversation(7, 'ebb') }), 1)
  })
  const left: number[] = []
  server.answer('GET /users/me/7/topics', () => {
    left.push(account.rows('SELECT 1 FROM messages').length)
    return { success: { topics: [{ name: 'ebb', max_id: 5 }] } }
  })
  await tell(gone('ebb', ...ids))
  await account.until(() => newestOf('ebb') === 5)
  await account.untilSynced()
  expect(left).toEqual([0])
})

test('no topics are fetched again for a topic that is here from its beginning', async () => {
  await tell({ type: 'message', message: message(10), flags: [] })
  account.store.write((db) =>
    addRange(db, 'topic:7:ebb', { oldestId: 10, newestId: 10, reachesBeginning: true, isLive: true }),
  )
  await tell(gone('ebb', 10))
  await account.untilSynced()
  expect(newestOf('ebb')).toBe(0)
  expect(timesAsked()).toBe(0)
})

test('topics whose answers cannot be read are fetched again later, unless the channel is lost', async () => {
  server.answer('GET /users/me/7/topics', { success: { topics: 'all' } })
  await tell({ type: 'message', message: message(10), flags: [] }, gone('ebb', 10))
  await account.until(() => account.log.some((line) => line.includes('topics of a channel')))
  hasOlder('ebb')
  await account.until(() => newestOf('ebb') === 5, 10_000)
  expect(hasEmptied(account.store.db)).toBe(false)
  server.answer('GET /users/me/7/topics', { error: 'trouble', status: 500 })
  await tell(
    { type: 'message', message: message(11), flags: [] },
    { type: 'message', message: message(12, { subject: 'surge' }), flags: [] },
    gone('ebb', 11, 5),
  )
  expect(hasEmptied(account.store.db)).toBe(true)
  account.store.write((db) => {
    noteLost(db, 7)
    removeSomeLost(db, 7, 100)
  })
  expect(newestOf('surge')).toBe(0)
  expect(hasEmptied(account.store.db)).toBe(false)
})

test('of a private channel that is lost while its topics are fetched, none is stored', async () => {
  const secret = { stream_id: 11, name: 'keys', invite_only: true }
  await tell({ type: 'subscription', op: 'add', subscriptions: [secret] })
  const topics = (...names: string[]) => names.map((name, index) => ({ name, max_id: 500 + index }))
  const stored = () =>
    account.rows('SELECT topic FROM conversations WHERE channel_id = 11').map((row) => row['topic'])
  server.answer('GET /users/me/11/topics', { success: { topics: topics('spare') } })
  await account.sync.loadTopics(channelId(11))
  expect(stored()).toEqual(['spare'])
  server.answer('GET /users/me/11/topics', async () => {
    await tell({ type: 'subscription', op: 'remove', subscriptions: [secret] })
    return { success: { topics: topics('spare', 'vault') } }
  })
  await account.sync.loadTopics(channelId(11))
  expect(stored()).toEqual(['spare'])
})

test('topics that the server does not name any more leave the list of their channel', async () => {
  const list = (...topics: object[]) => server.answer('GET /users/me/7/topics', { success: { topics } })
  const listed = () =>
    account.rows<{ topic: string; n: number }>(
      `SELECT topic, newest_message_id AS n FROM conversations WHERE channel_id = 7 AND newest_message_id > 0
       ORDER BY newest_message_id DESC`,
    )
  const many = Array.from({ length: 1_200 }, (_, index) => ({ name: `old ${index}`, max_id: 100 + index }))
  list({ name: 'surge', max_id: 2_000 }, { name: 'swell', max_id: 1_900 }, ...many)
  await account.sync.loadTopics(channelId(7))
  await tell({ type: 'message', message: message(2_100), flags: ['read'] })
  expect(listed()).toHaveLength(1_204)

  // While no event could tell, one was renamed, the newest message of another was deleted, and the others are gone.
  list({ name: 'spring surge', max_id: 2_000 }, { name: 'swell', max_id: 1_800 })
  await account.sync.loadTopics(channelId(7))
  expect(listed()).toEqual([
    // Its message is here, and came after the server made the list.
    { topic: 'ebb', n: 2_100 },
    { topic: 'spring surge', n: 2_000 },
    { topic: 'swell', n: 1_800 },
    // Its unread message is known by its id.
    { topic: 'flood', n: 3 },
  ])

  // What moves while the answer is under way stays, although the answer does not name it.
  server.answer('GET /users/me/7/topics', async () => {
    const move = { stream_id: 7, orig_subject: 'swell', subject: 'chop', propagate_mode: 'change_one' }
    await tell({
      type: 'update_message',
      user_id: 2,
      message_id: 1_700,
      message_ids: [1_700],
      flags: [],
      ...move,
    })
    return {
      success: {
        topics: [
          { name: 'swell', max_id: 1_800 },
          { name: 'spring surge', max_id: 2_000 },
        ],
      },
    }
  })
  await account.sync.loadTopics(channelId(7))
  expect(listed().map(({ topic }) => topic)).toEqual(['ebb', 'spring surge', 'swell', 'chop', 'flood'])

  // What is renamed while the answer is under way does not come back, although the answer names it.
  server.answer('GET /users/me/7/topics', async () => {
    const rename = {
      stream_id: 7,
      orig_subject: 'spring surge',
      subject: 'surf',
      propagate_mode: 'change_all',
    }
    await tell({
      type: 'update_message',
      user_id: 2,
      message_id: 2_000,
      message_ids: [2_000],
      flags: [],
      ...rename,
    })
    return {
      success: {
        topics: [
          { name: 'swell', max_id: 1_800 },
          { name: 'spring surge', max_id: 2_000 },
        ],
      },
    }
  })
  await account.sync.loadTopics(channelId(7))
  expect(listed().map(({ topic }) => topic)).toEqual(['ebb', 'surf', 'swell', 'flood'])

  // What only gets a reaction while the answer is under way is where the answer has it.
  server.answer('GET /users/me/7/topics', async () => {
    const emoji = { emoji_name: 'wave', emoji_code: '1f44b', reaction_type: 'unicode_emoji' }
    await tell({ type: 'reaction', op: 'add', message_id: 1_850, user_id: 2, ...emoji })
    const topics = [
      { name: 'swell', max_id: 1_850 },
      { name: 'surf', max_id: 2_000 },
    ]
    return { success: { topics } }
  })
  await account.sync.loadTopics(channelId(7))
  expect(listed()).toContainEqual({ topic: 'swell', n: 1_850 })

  // What is deleted while the answer is under way does not come back, although the answer names it.
  await tell({ type: 'message', message: message(2_200, { subject: 'lagoon' }), flags: ['read'] })
  expect(listed()).toContainEqual({ topic: 'lagoon', n: 2_200 })
  let isDeleted = false
  server.answer('GET /users/me/7/topics', async () => {
    const topics = [
      { name: 'swell', max_id: 1_850 },
      { name: 'surf', max_id: 2_000 },
    ]
    // The topics are asked for once more, because the topic may have older messages.
    if (isDeleted) return { success: { topics } }
    isDeleted = true
    await tell({ type: 'delete_message', message_type: 'stream', message_ids: [2_200] })
    return { success: { topics: [{ name: 'lagoon', max_id: 2_200 }, ...topics] } }
  })
  await account.sync.loadTopics(channelId(7))
  expect(listed().map(({ topic }) => topic)).toEqual(['ebb', 'surf', 'swell', 'flood'])
})

test('a topic whose newest message is deleted while topics are fetched for the first time is listed', async () => {
  let requests = 0
  server.answer('GET /users/me/7/topics', async () => {
    const isFirst = ++requests === 1
    if (isFirst) await tell({ type: 'delete_message', message_type: 'stream', message_ids: [900] })
    return { success: { topics: [{ name: 'surge', max_id: isFirst ? 900 : 850 }] } }
  })
  await account.sync.loadTopics(channelId(7))
  expect(account.rows("SELECT newest_message_id AS n FROM conversations WHERE topic = 'surge'")).toEqual([
    { n: 850 },
  ])
  // One more answer is enough, and it is not asked for without need.
  expect(requests).toBe(2)
  await account.sync.loadTopics(channelId(7))
  expect(requests).toBe(3)
})

test('a limit of the organization changes under the name that a registration gives it', async () => {
  const limit = () =>
    account.rows("SELECT value FROM organization WHERE name = 'max_file_upload_size_mib'")[0]?.['value']
  expect(limit()).toBe('25')
  const data = { max_file_upload_size_mib: 100 }
  await tell({ type: 'realm', op: 'update_dict', property: 'default', data })
  expect(limit()).toBe('100')
})
