import { hourMs } from '../../src-shared/durations.ts'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { mostLookedThrough } from '../../src-shared/model/search-results.ts'
import type { Connection } from '../../src-main/api/connection.ts'
import { searchServer } from '../../src-main/engine/server-search.ts'
import { search } from '../../src-main/queries/search.ts'
import { openStore, type Store } from '../../src-main/store/database.ts'
import { putMessage } from '../../src-main/store/messages.ts'
import { messageFields } from '../support/message-fields.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Searches on a device with more messages than one search looks through.

const day = (number: number) => new Date(2020, 0, number).getTime()
const total = 3 * mostLookedThrough
/** One message each half hour, the oldest on the first of January 2020. */
const sentAt = (id: number) => day(1) + ((id - 1) * hourMs) / 2
const directory = temporaryFolder(afterAll)
let store: Store

beforeAll(() => {
  const path = join(directory, 'account.db')
  store = openStore(path, () => {})
  const contentHtml = (id: number) =>
    id === 97 || id === total - 5 ? '<p>See <a href="/user_uploads/a.txt">a.txt</a></p>' : '<p>text</p>'
  const put = (id: number) =>
    store.write((db) =>
      putMessage(
        db,
        messageFields({
          id,
          conversation: topicConversation(3, 'tides'),
          sentAt: sentAt(id),
          contentHtml: contentHtml(id),
        }),
        1,
      ),
    )
  put(1)
  // The rest by hand: what else a message has makes no difference here.
  const sqlite = new Sqlite(path)
  const row = sqlite.prepare(
    `INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, content_html,
       is_me_message, is_starred, is_mentioned, generation, unused_is_read)
     SELECT ?, conversation_id, channel_id, sender_id, sender_name, ?, ?, 0, 0, 0, 1, 0 FROM messages WHERE message_id = 1`,
  )
  const words = sqlite.prepare(
    `INSERT INTO message_words (rowid, words, filters) VALUES (?, 'text', 'c3 u2 v1')`,
  )
  sqlite.transaction(() => {
    for (let id = 2; id < total; id++) {
      row.run(id, sentAt(id), contentHtml(id))
      words.run(id)
    }
  })()
  sqlite.close()
  put(total)
})

afterAll(() => store.close())

const context = () => ({ db: store.db, ownUserId: userId(1), now: sentAt(total) })
const found = (text: string) => {
  const { results, lookedBackTo } = search(context(), text, 50)
  return { ids: results.map(({ messageId }) => messageId), lookedBackTo }
}

test('a search that finds little says how far back it has looked', () => {
  const { ids, lookedBackTo } = found('has:attachment')
  expect(ids).toEqual([total - 5])
  expect(lookedBackTo).toBe(sentAt(total - mostLookedThrough + 1))
  expect(found('text has:attachment').lookedBackTo).toBe(sentAt(total - mostLookedThrough + 1))
  // Whoever sees as many results as are shown has not reached the end.
  expect(found('-has:attachment').lookedBackTo).toBeNull()
  expect(found('is:starred')).toEqual({ ids: [], lookedBackTo: null })
})

test('the days of a search say where it begins to look, and where it ends', () => {
  expect(found('has:attachment before:2020-01-10')).toEqual({ ids: [97], lookedBackTo: null })
  expect(found('has:attachment -after:2020-01-10')).toEqual({ ids: [97], lookedBackTo: null })
  expect(found('text has:attachment before:2020-01-10')).toEqual({ ids: [97], lookedBackTo: null })
  expect(found('has:attachment after:2020-01-02 before:2020-01-05')).toEqual({
    ids: [97],
    lookedBackTo: null,
  })
  // A day includes its first moment, and not the first moment of the next day.
  expect(found('has:attachment after:2020-01-03 before:2020-01-04').ids).toEqual([97])
  expect(found('has:attachment before:2020-01-03').ids).toEqual([])
  expect(found('has:attachment after:2020-01-04 before:2020-02-01')).toEqual({ ids: [], lookedBackTo: null })
  expect(found('has:attachment after:2023-06-01').ids).toEqual([total - 5])
  expect(found('has:attachment before:2022-12-01').lookedBackTo).not.toBeNull()
})

test('the server adds what this device has but has not looked through', async () => {
  const narrows: object[] = []
  const raw = (id: number) => ({
    id,
    type: 'stream',
    stream_id: 3,
    display_recipient: 'gauges',
    subject: 'tides',
    sender_id: 2,
    sender_full_name: 'Bo',
    sender_email: 'bo@example.org',
    content: '<p>See <a href="/user_uploads/a.txt">a.txt</a></p>',
    timestamp: sentAt(id) / 1_000,
    flags: ['read'],
    reactions: [],
    is_me_message: false,
  })
  const connection = {
    call: (_endpoint: unknown, fields: object) => {
      narrows.push(fields)
      return Promise.resolve({
        messages: [raw(97), raw(total - 5), raw(total + 1)],
        found_oldest: true,
        found_newest: true,
        history_limited: false,
      })
    },
  } as unknown as Connection
  const { results } = await searchServer(connection, context(), 'has:attachment', null, AbortSignal.any([]))
  expect(results.map(({ messageId, isOnDevice }) => [messageId, isOnDevice])).toEqual([
    [total + 1, false],
    [97, true],
  ])
})
