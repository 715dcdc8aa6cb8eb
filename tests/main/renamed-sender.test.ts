import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { join } from 'node:path'
import { accountId, userId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { feed } from '../../src-main/queries/feed.ts'
import { newestLookup } from '../../src-main/queries/newest.ts'
import { reminders } from '../../src-main/queries/reminders.ts'
import { search } from '../../src-main/queries/search.ts'
import { openStore, type Store } from '../../src-main/store/database.ts'
import { putMessage } from '../../src-main/store/messages.ts'
import { putObject } from '../../src-main/store/objects.ts'
import { putUser, updateUser } from '../../src-main/store/users.ts'
import { messageFields } from '../support/message-fields.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let directory: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), () => {})
})
afterEach(() => store.close())

test('a person with many messages has their new name everywhere, and only their own row is written', () => {
  const conversation = topicConversation(3, 'tides')
  const count = 500
  store.write((db) => {
    putUser(db, {
      id: 2,
      email: 'bo@example.org',
      fullName: 'Bo',
      role: 400,
      isBot: false,
      isActive: true,
      avatarUrl: null,
      timezone: '',
      botOwnerId: null,
      joinedAt: null,
      deliveryEmail: null,
      profile: '{}',
    })
    for (let id = 1; id <= count; id++) putMessage(db, messageFields({ id, conversation }), 1)
    putObject(db, 'reminder', 1, {
      reminder_id: 1,
      reminder_target_message_id: count,
      scheduled_delivery_timestamp: 9,
    })
  })
  const changes = () => store.db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0
  const context = { db: store.db, ownUserId: userId(1), now: 1_000 }
  const names = () => [
    ...feed(context, {
      accountId: accountId('here'),
      narrow: conversation,
      around: 'newest',
      before: 1,
      after: 0,
    }).messages.map(({ senderName }) => senderName),
    ...search(context, 'text', 1).results.map(({ senderName }) => senderName),
    ...reminders(context).map(({ senderName }) => senderName),
    newestLookup(store.db, [{ conversation_id: 1, newest_message_id: count }]).of(1).newestSender,
  ]
  expect(names()).toEqual(['Bo', 'Bo', 'Bo', 'Bo'])
  const before = changes()
  store.write((db) => updateUser(db, 2, { fullName: 'Bodil' }))
  expect(changes() - before).toBeLessThan(10)
  expect(names()).toEqual(['Bodil', 'Bodil', 'Bodil', 'Bodil'])
})
