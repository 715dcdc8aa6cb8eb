import { expect, test } from 'vitest'
import { accountId, userId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import type { Notice } from '../../src-shared/model/notice.ts'
import type { AccountEvents } from '../../src-main/engine/account-events.ts'
import { createNotifier } from '../../src-main/engine/notifier.ts'
import { openStore, type ReadableDb } from '../../src-main/store/database.ts'
import { putMessage } from '../../src-main/store/messages.ts'
import { messageFields } from '../support/message-fields.ts'

test('of a thousand messages at once only the unread ones are looked at, and only the few that are named are named', () => {
  const store = openStore(':memory:', () => {})
  const ids = Array.from({ length: 1_000 }, (_, index) => index + 1)
  store.write((db) => {
    for (const id of ids) {
      const conversation = topicConversation(7, `topic ${id % 10}`)
      putMessage(db, messageFields({ id, conversation, isMentioned: true, isRead: id > 100 }), 1)
    }
  })
  let asked = 0
  const db: ReadableDb = {
    ...store.db,
    get: (...parts) => (asked++, store.db.get(...parts)),
    all: (...parts) => (asked++, store.db.all(...parts)),
    column: (...parts) => (asked++, store.db.column(...parts)),
  }
  const notices: Notice[] = []
  const events = {
    notify: (notice: Notice) => void notices.push(notice),
    notices: () => [],
    attention: () => null,
    notificationsEnabled: () => true,
    isQuiet: () => false,
  }
  const notifier = createNotifier({
    accountId: accountId('a'),
    events: events as Partial<AccountEvents> as AccountEvents,
    queryContext: () => ({ db, ownUserId: userId(1), now: 1 }),
  })
  notifier.arrived(ids)
  expect(notices).toHaveLength(1)
  expect(notices[0]?.messageIds).toHaveLength(100)
  // Each message and the visibility of its topic are read, and for all of them the settings and three names.
  expect(asked).toBeLessThan(250)
  store.close()
})
