import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { noteNewest, recount, conversationId } from '../../../src-main/store/conversations.ts'
import {
  openStore,
  type ReadableDb,
  type SqlParameters,
  type Store,
} from '../../../src-main/store/database.ts'
import { putUnread } from '../../../src-main/store/flags.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { finishSomeMoved, leaveTraces, movesAsOne, moveMessages } from '../../../src-main/store/moves.ts'
import { writeSomeOutdated } from '../../../src-main/store/outdated-words.ts'
import { messageFields } from '../../support/message-fields.ts'
import { wrongCounts } from '../../support/kept-counts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Many messages that move at once are where the same messages would be that moved one by one, with all that counts them
// and finds them. Most of them are not written for that.

const tides = topicConversation(3, 'tides')
/** Those that move; of every second one of the last ten only the number is here. */
const moving = Array.from({ length: 200 }, (_, index) => index * 10 + 10)
const known = (id: number) => id <= 1_900 || id % 20 !== 10

function open(staying: number, inTarget: number, to = topicConversation(3, 'ebb')): Store {
  const store = openStore(join(temporaryFolder(onTestFinished), 'account.db'), () => {})
  onTestFinished(() => store.close())
  store.write((db) => {
    const put = (id: number, topic: typeof tides) => {
      const fields = { id, conversation: topic, contentHtml: '<p>gulls</p>' }
      const isUnread = id % 3 === 0
      if (topic === tides && !known(id)) putOnlyUnread(id, topic)
      else putMessage(db, messageFields({ ...fields, isRead: !isUnread, isMentioned: id % 9 === 0 }), 1)
    }
    const putOnlyUnread = (id: number, topic: typeof tides) => {
      const home = conversationId(db, topic)
      putUnread(db, id, home, id % 9 === 0)
      noteNewest(db, home, id, topic)
      recount(db, [home], [])
    }
    for (const id of moving) put(id, tides)
    for (let index = 0; index < staying; index++) put(index * 10 + 13, tides)
    for (let index = 0; index < inTarget; index++) put(index * 10 + 16, to)
    if (staying > 0) putOnlyUnread(3_001, tides)
    if (inTarget > 0) putOnlyUnread(3_002, to)
  })
  return store
}

/** Everything that says where messages are, by the names of places. */
function whereAll(store: Store): unknown {
  const finish = { isMore: true }
  while (finish.isMore) store.write((db) => (finish.isMore = finishSomeMoved(db)))
  while (store.write((db) => writeSomeOutdated(db, 100)));
  const homes = store.db.all<{ id: number; key: string }>(
    'SELECT conversation_id AS id, key FROM conversations',
  )
  return {
    messages: store.db.all(
      'SELECT message_id, key, m.channel_id, moved_at FROM messages m JOIN conversations USING (conversation_id) ORDER BY 1',
    ),
    unread: store.db.all(
      'SELECT message_id, key, is_mentioned FROM unread JOIN conversations USING (conversation_id) ORDER BY 1',
    ),
    conversations: store.db.all(
      `SELECT key, kind, channel_id, topic, newest_message_id, unread_count, mention_count
       FROM conversations ORDER BY key`,
    ),
    sizes: store.db.all(
      'SELECT key, message_count FROM conversation_sizes JOIN conversations USING (conversation_id) WHERE message_count <> 0 ORDER BY key',
    ),
    changes: store.db.all('SELECT * FROM message_changes ORDER BY message_id'),
    found: homes
      .map(({ id, key }) => [
        key,
        store.db.column(
          `SELECT rowid FROM message_words WHERE message_words MATCH 'filters : v${id} AND words : gulls' ORDER BY 1`,
        ),
      ])
      .sort(),
    named: ['ebb', 'tides', 'c3', 'c4'].map((word) =>
      store.db.column(`SELECT rowid FROM message_words WHERE message_words MATCH '${word}' ORDER BY 1`),
    ),
  }
}

const trace = { movedAt: 9_000, change: { at: 9_000, userId: 2, from: { channelId: null, topic: 'tides' } } }

test.each([
  ['a whole topic', 0, 0, 'ebb', 3, true],
  ['a topic into another channel', 0, 0, 'ebb', 4, true],
  ['most of a topic', 40, 0, 'ebb', 3, true],
  ['a topic into another one', 0, 70, 'ebb', 3, true],
  ['most of a topic into one of another channel', 60, 60, 'ebb', 4, true],
  ['less than half of a topic', 240, 0, 'ebb', 3, false],
  ['a topic into a larger one', 0, 240, 'ebb', 3, false],
  ['a topic that is only spelled otherwise', 0, 0, 'TIDES', 3, true],
] as const)(
  '%s moves at once as it does message by message',
  (_name, staying, inTarget, topic, channel, isByRow) => {
    const to = topicConversation(channel, topic)
    const together = open(staying, inTarget, to)
    const single = open(staying, inTarget, to)
    const homeOf = (key: string) =>
      together.db.get<{ id: number }>('SELECT conversation_id AS id FROM conversations WHERE key = ?', [key])
        ?.id
    const before = homeOf('topic:3:tides')
    together.write((db) => {
      const moved = moveMessages(db, moving, tides, to)
      expect([...moved].sort((a, b) => a - b)).toEqual(moving.filter(known))
      leaveTraces(db, moved, trace)
    })
    // The messages have the row of their topic as before: they were not written.
    expect(homeOf(`topic:${channel}:${topic.toLowerCase()}`) === before).toBe(isByRow)
    expect(together.db.column('SELECT message_id FROM messages WHERE moved_at = 9000')).toHaveLength(50)
    single.write((db) => {
      for (const id of moving) leaveTraces(db, moveMessages(db, [id], tides, to), trace)
    })
    expect(whereAll(together)).toEqual(whereAll(single))
    expect(wrongCounts(together.db)).toEqual([])
  },
)

test('whether messages move as one is told from indexes, because twenty thousand messages lie far apart', () => {
  const { db } = open(0, 10)
  const details: string[] = []
  const explained =
    <R>(work: (sql: string, parameters?: SqlParameters) => R) =>
    (sql: string, parameters: SqlParameters = []): R => {
      const steps = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters)
      details.push(...steps.map(({ detail }) => detail))
      return work(sql, parameters)
    }
  // The row type stays the caller's promise.
  const watched: ReadableDb = {
    ...db,
    all: explained(db.all) as ReadableDb['all'],
    get: explained(db.get) as ReadableDb['get'],
    column: explained(db.column) as ReadableDb['column'],
  }
  expect(movesAsOne(watched, moving, tides, topicConversation(3, 'ebb'))).toBe(true)
  const ofMessages = details.filter((detail) => / messages /.test(detail))
  expect(ofMessages.length).toBeGreaterThan(0)
  expect(ofMessages.filter((detail) => !detail.includes('COVERING INDEX'))).toEqual([])
})

test('whether messages move as one is told by those of them that are here', () => {
  const { db } = open(500, 0)
  const ebb = topicConversation(3, 'ebb')
  const elsewhere = Array.from({ length: 600 }, (_, index) => 100_000 + index)
  expect(movesAsOne(db, [...moving, ...elsewhere], tides, ebb)).toBe(false)
  const staying = Array.from({ length: 400 }, (_, index) => index * 10 + 13)
  expect(movesAsOne(db, [...moving, ...staying, ...elsewhere], tides, ebb)).toBe(true)
})
