import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainChannel } from '../../../bench/workload.ts'
import { userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { findInFeed } from '../../../src-main/queries/find.ts'
import { search } from '../../../src-main/queries/search.ts'
import { putChannel } from '../../../src-main/store/channels.ts'
import { changesOf } from '../../../src-main/store/message-changes.ts'
import { hasOutdatedWords } from '../../../src-main/store/outdated-words.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { messageFields } from '../../support/message-fields.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// A topic with thousands of messages moves. The word index names their places, and is written in many short turns.

const count = 2_000
const tides = topicConversation(3, 'tides')
const moved = topicConversation(4, 'ebb')

let server: ScriptedServer
let account: SyncedAccount
let reapplied = 0

beforeEach(async () => {
  server = await startScriptedServer()
  const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }
  account = openSync(() => server.baseUrl, ada, { reapply: () => reapplied++ })
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
const inMovedFeed = () =>
  findInFeed({ db: account.store.db, ownUserId: userId(1), now: 1_000 }, moved, 'gulls').ids.length
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
const moving = {
  type: 'update_message',
  user_id: 2,
  message_id: 1,
  message_ids: Array.from({ length: count }, (_, index) => index + 1),
  stream_id: 3,
  new_stream_id: 4,
  orig_subject: 'tides',
  subject: 'ebb',
  propagate_mode: 'change_all',
  edit_timestamp: 9,
  rendering_only: false,
  flags: [],
  topic_links: [],
}
const move = () => server.push(moving)

test('a large topic moves at once, and its words follow in many short turns', async () => {
  const steps: number[] = []
  const wrong: unknown[] = []
  let before = count
  account.store.onChange(['messages', 'outdated_words'], () => {
    // First come the messages themselves.
    if (found('channel:gauges') === 0) return
    if (steps.length > 0 || left() < count) steps.push(before - left())
    before = left()
    const counts = [
      found('channel:gauges topic:ebb gulls'),
      found('channel:sheets gulls'),
      found('channel:sheets topic:tides'),
      inMovedFeed(),
    ]
    if (JSON.stringify(counts) !== '[200,0,0,1000]') wrong.push(counts)
  })
  move()
  await account.until(() => found('channel:gauges') > 0 && !hasOutdatedWords(account.store.db))
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
  const { orig_subject: _old, subject: _new, new_stream_id: _to, ...moved } = moving
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

test('after a restart in between, the words follow though the server cannot be reached', async () => {
  const stop = account.store.onChange(['outdated_words'], () => {
    stop()
    account.stop()
  })
  move()
  await expect
    .poll(() => {
      try {
        account.rows('SELECT 1')
        return false
      } catch {
        return true
      }
    })
    .toBe(true)
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
