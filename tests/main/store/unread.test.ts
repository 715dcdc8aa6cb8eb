import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  conversationKey,
  directConversation,
  topicConversation,
} from '../../../src-shared/model/conversation.ts'
import { channelId, userId } from '../../../src-shared/ids.ts'
import { homeOf, recountUnread } from '../../../src-main/store/conversations.ts'
import { openStore } from '../../../src-main/store/database.ts'
import { putUnreadIn } from '../../../src-main/store/flags.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { setTopicVisibility } from '../../../src-main/store/topic-visibility.ts'
import { markReadIn } from '../../../src-main/store/unread.ts'
import { messageFields } from '../../support/message-fields.ts'
import { wrongCounts } from '../../support/kept-counts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Whether most of what is unread is marked or little of it: exactly the marked messages are read afterwards.

const tides = topicConversation(3, 'tides')
const ebb = topicConversation(3, 'ebb')
const direct = directConversation([userId(2)], userId(1))

for (const count of [15, 400])
  test.each([
    ['a topic', tides, 1_000, (id: number) => id < 1_000],
    ['a topic up to a message', tides, 200, (id: number) => id <= 200],
    ['a channel', { kind: 'channel', channelId: channelId(3) }, 9_999, (id: number) => id < 3_000],
    ['mentions', { kind: 'mentions' }, 9_999, (id: number) => id % 10 === 0],
    ['everything', { kind: 'combined' }, 9_999, () => true],
    ['everything up to a message', { kind: 'combined' }, 2_010, (id: number) => id <= 2_010],
  ] as const)(
    `of ${count} unread messages in a topic and a few elsewhere: %s`,
    (_name, narrow, upTo, isMarked) => {
      const store = openStore(join(temporaryFolder(onTestFinished), 'account.db'), () => {})
      onTestFinished(() => store.close())
      const put = (from: number, length: number, conversation: typeof tides) =>
        store.write((db) => {
          for (let id = from; id < from + length; id++)
            putMessage(db, messageFields({ id, conversation, isRead: false, isMentioned: id % 10 === 0 }), 1)
        })
      put(1, count, tides)
      put(2_001, 12, ebb)
      put(3_001, 12, direct)
      const rows = () => store.db.all<{ message_id: number }>('SELECT * FROM unread ORDER BY message_id')
      const left = rows().filter(({ message_id: id }) => !isMarked(id))
      store.write((db) => markReadIn(db, narrow, upTo))
      expect(rows()).toEqual(left)
      expect(wrongCounts(store.db)).toEqual([])
    },
  )

test('a mention of everybody that a registration does not list counts no more, unless its topic is muted', () => {
  const store = openStore(join(temporaryFolder(onTestFinished), 'account.db'), () => {})
  onTestFinished(() => store.close())
  const mentions = () =>
    store.db.column<number>('SELECT mention_count FROM conversations WHERE key = ?', [conversationKey(ebb)])
  store.write((db) => {
    const fields = { id: 1, conversation: ebb, isRead: false, isMentioned: true, isOnlyByWildcard: true }
    putMessage(db, messageFields(fields), 1)
  })
  expect(mentions()).toEqual([1])
  const register = () =>
    store.write((db) => {
      const { id } = homeOf(db, ebb)
      putUnreadIn(db, id, [{ id: 1, isMentioned: false }])
      recountUnread(db, [id])
    })
  store.write((db) => setTopicVisibility(db, 3, 'ebb', 'muted'))
  register()
  expect(mentions()).toEqual([0])
  store.write((db) => setTopicVisibility(db, 3, 'ebb', 'none'))
  expect(mentions()).toEqual([1])
  register()
  expect(mentions()).toEqual([0])
})
