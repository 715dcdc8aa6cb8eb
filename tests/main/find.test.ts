import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { channelId, userId } from '../../src-shared/ids.ts'
import {
  directConversation,
  topicConversation,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { findInFeed } from '../../src-main/queries/find.ts'
import { openStore, type Store } from '../../src-main/store/database.ts'
import { putMessage } from '../../src-main/store/messages.ts'
import { messageFields } from '../support/message-fields.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Finds a text in the messages of one feed, exactly as typed.

let directory: string
let store: Store
let lastId = 0

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), () => {})
  lastId = 0
})
afterEach(() => store.close())

const tides = topicConversation(3, 'tides')
const keiko = directConversation([userId(7)], userId(1))

const message = (contentHtml: string, conversation: Conversation = tides, facts: object = {}) =>
  messageFields({ id: ++lastId, conversation, senderId: 7, senderName: 'Keiko', contentHtml, ...facts })
/** Adds a message; returns its id. */
function put(...parts: Parameters<typeof message>): number {
  store.write((db) => putMessage(db, message(...parts), 1))
  return lastId
}
const find = (text: string, narrow: Narrow = tides) =>
  findInFeed({ db: store.db, ownUserId: userId(1), now: 1_000 }, narrow, text)
const ids = (text: string, narrow: Narrow = tides) => find(text, narrow).ids

test('a text is found as it stands there, across markup, in whatever case, newest first', () => {
  const first = put('<p>The <strong>brass</strong> clamp</p>')
  put('<p>A clamp of brass</p>')
  const last = put('<p>brass   Clamps</p>')
  expect(ids('Brass clamp')).toEqual([last, first])
  expect(ids('  brass\n clamps ')).toEqual([last])
  expect(ids('strong')).toEqual([])
})

test('words of a search are words here, and what has no letters finds nothing', () => {
  const one = put('<p>Write from: Keiko "now"</p>')
  expect(ids('from: Keiko')).toEqual([one])
  expect(ids('Keiko "now"')).toEqual([one])
  expect(ids('Keiko "n')).toEqual([one])
  for (const text of ['', '  ', '"', '*', 'AND', 'words:']) expect(ids(text), text).toEqual([])
})

test('only what the feed shows is looked through', () => {
  const here = put('<p>low water</p>')
  const beside = put('<p>low water</p>', topicConversation(3, 'maps'))
  const other = put('<p>low water</p>', topicConversation(4, 'tides'), { isStarred: true })
  const direct = put('<p>low water</p>', keiko, { isMentioned: true })
  expect(ids('low water')).toEqual([here])
  expect(ids('low water', { kind: 'channel', channelId: channelId(3) })).toEqual([beside, here])
  expect(ids('low water', keiko)).toEqual([direct])
  expect(ids('low water', { kind: 'directs' })).toEqual([direct])
  expect(ids('low water', { kind: 'starred' })).toEqual([other])
  expect(ids('low water', { kind: 'mentions' })).toEqual([direct])
  expect(ids('low water', { kind: 'combined' })).toEqual([direct, other, beside, here])
  expect(ids('low water', topicConversation(9, 'nowhere'))).toEqual([])
})

test('of very many messages the newest are found, and it says so', () => {
  store.write((db) => {
    for (let index = 0; index < 1_005; index++) putMessage(db, message('<p>tick</p>'), 1)
  })
  expect(find('tick').ids).toHaveLength(1_000)
  expect(find('tick')).toMatchObject({ hasMore: true })
  expect(find('tick').ids[0]).toBe(lastId)
})
