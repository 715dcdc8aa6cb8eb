import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainChannel } from '../../../bench/workload.ts'
import { userId } from '../../../src-shared/ids.ts'
import { narrowKey } from '../../../src-shared/model/narrow.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { findInFeed } from '../../../src-main/queries/find.ts'
import { search } from '../../../src-main/queries/search.ts'
import { putChannel } from '../../../src-main/store/channels.ts'
import { changesOf } from '../../../src-main/store/message-changes.ts'
import { addRange } from '../../../src-main/store/ranges.ts'
import { hasOutdatedWords } from '../../../src-main/store/outdated-words.ts'
import { narrowCondition } from '../../../src-main/store/narrow-condition.ts'
import { putMessage, removeMessages } from '../../../src-main/store/messages.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { wrongCounts } from '../../support/kept-counts.ts'
import { messageFields } from '../../support/message-fields.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// A topic with thousands of messages moves. The word index names their places, and is written in many short turns.

const count = 2_000
const tides = topicConversation(3, 'tides')
const moved = topicConversation(3, 'ebb')
const movedFar = topicConversation(4, 'ebb')

let server: ScriptedServer
let account: SyncedAccount
let reapplied = 0
/** What follows a topic: from where to where, and how many of its messages were there by then. */
let followed: [from: string, to: string, moved: number][] = []

beforeEach(async () => {
  server = await startScriptedServer()
  const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }
  followed = []
  account = openSync(() => server.baseUrl, ada, {
    reapply: () => reapplied++,
    topicMoved: (db, from, to) => {
      const there = db.column(
        'SELECT 1 FROM messages JOIN conversations USING (conversation_id) WHERE key = ?',
        [narrowKey(to)],
      )
      followed.push([narrowKey(from), narrowKey(to), there.length])
    },
  })
  await account.untilSynced()
  account.store.write((db) => {
    putChannel(db, { ...plainChannel(3), name: 'sheets', isSubscribed: true })
    putChannel(db, { ...plainChannel(4), name: 'gauges', isSubscribed: true })
    for (let id = 1; id <= count; id++)
      putMessage(db, messageFields({ id, conversation: tides, contentHtml: '<p>gulls</p>' }), 1)
  })
})
afterEach(async () => {
  await account.close()
  await server.stop()
})

const found = (text: string) =>
  search({ db: account.store.db, ownUserId: userId(1), now: 1_000 }, text, 1).total
const inMovedFeed = (to = moved) =>
  findInFeed({ db: account.store.db, ownUserId: userId(1), now: 1_000 }, to, 'gulls').ids.length
/** How many messages still have the words of the former place. */
const left = () =>
  account.rows<{ n: number }>(
    `SELECT (SELECT count(*) FROM outdated_words) + coalesce(sum(json_array_length(body, '$.messageIds')), 0) AS n
     FROM objects WHERE kind = 'unfinished-move'`,
  )[0]?.n ?? 0
const traces = () =>
  account.rows(
    `SELECT count(*) AS messages, count(DISTINCT changes) AS changes
     FROM messages JOIN message_changes USING (message_id) WHERE moved_at = 9000`,
  )
const renaming = {
  type: 'update_message',
  user_id: 2,
  message_id: 1,
  message_ids: Array.from({ length: count }, (_, index) => index + 1),
  stream_id: 3,
  orig_subject: 'tides',
  subject: 'ebb',
  propagate_mode: 'change_all',
  edit_timestamp: 9,
  rendering_only: false,
  flags: [],
  topic_links: [],
}
const moving = { ...renaming, new_stream_id: 4 }

test('a large topic is renamed at once, and its words follow in many short turns', async () => {
  const steps: number[] = []
  const wrong: unknown[] = []
  let before = count
  account.store.onChange(['messages', 'outdated_words'], () => {
    // First come the messages themselves.
    if (found('channel:sheets topic:ebb') === 0) return
    if (steps.length > 0 || left() < count) steps.push(before - left())
    before = left()
    const counts = [
      found('channel:sheets topic:ebb gulls'),
      found('channel:sheets topic:tides'),
      inMovedFeed(),
    ]
    if (JSON.stringify(counts) !== '[200,0,1000]') wrong.push(counts)
  })
  server.push(renaming)
  await account.until(() => inMovedFeed() > 0 && !hasOutdatedWords(account.store.db))
  expect(steps.length).toBeGreaterThan(2)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1_000)
  expect(wrong).toEqual([])
  expect(found('ebb')).toBe(200)
  expect(found('tides')).toBe(0)
  expect(found('topic:ebb gulls')).toBe(200)
  expect(traces()).toEqual([{ messages: count, changes: 1 }])
})

test('events that come together with a large move are applied to what it has finished', async () => {
  const edit = { rendered_content: '<p>terns</p>', content: 'terns', orig_content: 'gulls' }
  const { orig_subject: _old, subject: _new, ...moved } = renaming
  server.push(
    moving,
    { ...moved, ...edit, stream_id: 4, message_ids: [1], propagate_mode: 'change_one', edit_timestamp: 10 },
    { ...moving, stream_id: 4, new_stream_id: 3, orig_subject: 'ebb', subject: 'flood', edit_timestamp: 11 },
  )
  await account.until(() => found('topic:flood') > 0 && !hasOutdatedWords(account.store.db))
  const of = (id: number) => changesOf(account.store.db, id)?.changes.map(({ at }) => at)
  expect(of(1)).toEqual([9_000, 10_000, 11_000])
  expect(of(2)).toEqual([9_000, 11_000])
  expect(account.rows('SELECT DISTINCT moved_at FROM messages')).toEqual([{ moved_at: 11_000 }])
})

/** Ends the sync after the first commit to a table that comes with an event. */
const stopAfter = async (event: object, table: string) => {
  let isStopped = false
  const stop = account.store.onChange([table], () => {
    stop()
    account.stop()
    isStopped = true
  })
  server.push(event)
  await expect.poll(() => isStopped).toBe(true)
}

test.each([
  ['another channel', moving, movedFar, [250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000]],
  [
    'a topic that takes half of them',
    { ...renaming, message_ids: renaming.message_ids.slice(1_000), propagate_mode: 'change_later' },
    moved,
    [250, 500, 750, 1_000],
  ],
])(
  'what moves to %s goes in parts, the newest first, each with all that counts it',
  async (_name, event, to, steps) => {
    const seen = new Set<number>()
    const wrong: unknown[] = []
    const idsAt = (place: typeof to) => {
      const { where, parameters } = narrowCondition(account.store.db, place)
      return account.rows<{ id: number }>(
        `SELECT message_id AS id FROM messages m WHERE ${where} ORDER BY 1`,
        ...parameters,
      )
    }
    account.store.onChange(['messages'], () => {
      const there = idsAt(to).map(({ id }) => id)
      if (there.length === 0) return
      seen.add(there.length)
      const isTogether = there.every((id, index) => id === count - there.length + 1 + index)
      const ofChannel = account.rows('SELECT 1 FROM messages WHERE channel_id = 3').length
      if (!isTogether || idsAt(tides).length !== count - there.length) wrong.push(there.length)
      if (to === movedFar && ofChannel !== count - there.length) wrong.push(ofChannel)
      wrong.push(...wrongCounts(account.store.db))
    })
    // In whatever order the server names them.
    server.push(
      { ...event, message_ids: event.message_ids.toSorted((a, b) => (a % 7) - (b % 7)) },
      { type: 'heartbeat' },
    )
    await account.until(() => seen.has(steps.at(-1) ?? 0) && !hasOutdatedWords(account.store.db))
    expect([...seen]).toEqual(steps)
    expect(wrong).toEqual([])
    expect(traces()).toEqual([{ messages: event.message_ids.length, changes: 1 }])
  },
)

test.each([
  ['all of a topic that moves', 'change_all', count, 250],
  // The first part moves all that are here.
  ['a message and all later ones', 'change_later', 100, 100],
])('what was written to the place follows %s once', async (_name, propagate_mode, here, after) => {
  account.store.write((db) => {
    removeMessages(db, moving.message_ids.slice(0, count - here))
    // Nothing older is on the server.
    addRange(db, narrowKey(tides), { oldestId: 1, newestId: count, reachesBeginning: true, isLive: false })
  })
  server.push({ ...moving, propagate_mode }, { type: 'heartbeat' })
  const inChannel = () => account.rows('SELECT 1 FROM messages WHERE channel_id = 4').length
  await account.until(() => inChannel() === here && !hasOutdatedWords(account.store.db))
  await account.until(() => followed.length > 0)
  // Later, it follows only if nothing of the topic stays.
  expect(followed).toEqual([[narrowKey(tides), narrowKey(movedFar), after]])
})

test('after a restart between its parts, a move goes on, and each message has one trace', async () => {
  await stopAfter(moving, 'outdated_words')
  await account.restart()
  const inChannel = () => account.rows('SELECT 1 FROM messages WHERE channel_id = 4').length
  expect(inChannel()).toBe(250)
  await account.until(() => inChannel() === count && !hasOutdatedWords(account.store.db))
  expect(traces()).toEqual([{ messages: count, changes: 1 }])
  expect(account.rows('SELECT json_array_length(changes) AS n FROM message_changes GROUP BY 1')).toEqual([
    { n: 1 },
  ])
  expect(wrongCounts(account.store.db)).toEqual([])
})

test('when its queue is lost between its parts, nothing is remembered of how far a move was applied', async () => {
  await stopAfter(moving, 'outdated_words')
  server.loseQueue()
  await account.restart()
  const progress = () => account.rows("SELECT 1 FROM objects WHERE kind = 'event-progress'").length
  expect(progress()).toBe(1)
  const { generation } = account
  await account.until(() => account.generation > generation)
  expect(progress()).toBe(0)
})

test('after a restart in between, the words follow though the server cannot be reached', async () => {
  await stopAfter(renaming, 'outdated_words')
  await server.stop()
  reapplied = 0
  await account.restart()
  expect(left()).toBeGreaterThan(0)
  await account.until(() => !hasOutdatedWords(account.store.db))
  expect(found('topic:ebb gulls')).toBe(200)
  expect(found('ebb')).toBe(200)
  expect(traces()).toEqual([{ messages: count, changes: 1 }])
  // Nothing of the server's was written: waiting changes are left alone.
  expect(reapplied).toBe(0)
})
