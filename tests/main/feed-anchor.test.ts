import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { feed } from '../../src-main/queries/feed.ts'
import { openStore } from '../../src-main/store/database.ts'
import { putMessage } from '../../src-main/store/messages.ts'
import {
  newestSpan,
  oldestSpan,
  openingSpan,
  type FeedSpan,
} from '../../src-renderer/views/feed/feed-span.ts'
import { accountId, messageId, userId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { messageFields } from '../support/message-fields.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Where the window of a feed stands, and whether the topic of its anchor counts as the one to go to.

const directory = temporaryFolder(afterAll)
const store = openStore(join(directory, 'account.db'), () => {})
afterAll(() => store.close())

const welcome = topicConversation(1, 'welcome')
const tides = topicConversation(1, 'tides')
store.write((db) => {
  putMessage(db, messageFields({ id: 1, conversation: welcome }), 1)
  for (let id = 2; id <= 60; id++) putMessage(db, messageFields({ id, conversation: tides }), 1)
})

const shown = (span: FeedSpan) =>
  feed({ db: store.db, ownUserId: userId(1), now: 0 }, { accountId: accountId('a'), narrow: tides, ...span })

test('the oldest messages of a topic are its own, wherever the first message of all is', () => {
  const { anchorId, messages, before, movedTo } = shown(oldestSpan)
  expect(anchorId).toBe(2)
  expect(messages.map(({ id }) => id).slice(0, 3)).toEqual([2, 3, 4])
  expect(before).not.toBe('here')
  expect(movedTo).toBe(null)
  expect(shown(newestSpan)).toMatchObject({ anchorId: 60, movedTo: null })
})

test('a message that was asked for leads to the topic that it is in now', () => {
  expect(shown(openingSpan(messageId(1))).movedTo).toEqual(welcome)
})
