import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { channelId, localId, userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { scheduled } from '../../../src-main/queries/scheduled.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import { putObject } from '../../../src-main/store/objects.ts'
import { insertOutboxRow, updateOutboxRow } from '../../../src-main/store/outbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let directory: string
let store: Store

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'a.db'), () => {})
})
afterEach(() => store.close())

const own = localId('1')
const sendAt = 1_800_000_000_400
const list = () =>
  scheduled({ db: store.db, ownUserId: userId(1), now: 0 }).map(({ scheduledId, content }) => ({
    scheduledId,
    content,
  }))
const tell = (content: string) =>
  store.write((db) =>
    putObject(db, 'scheduled-message', 9, {
      scheduled_message_id: 9,
      to: 7,
      topic: 'ebb',
      content,
      scheduled_delivery_timestamp: 1_800_000_000,
    }),
  )

test('a message that the server tells of before it answers stands in the list once', () => {
  const conversation = topicConversation(channelId(7), 'ebb')
  store.write((db) =>
    insertOutboxRow(db, {
      localId: own,
      action: { name: 'schedule-message', conversation, content: 'low water', draftId: null, sendAt },
      lane: 'own',
      conversationKey: null,
      createdAt: 0,
    }),
  )
  const here = { scheduledId: null, content: 'low water' }
  const there = { scheduledId: 9, content: 'low water' }
  expect(list()).toEqual([here])
  tell('low water')
  // While this one is not being sent, the other must be a different message.
  expect(list()).toEqual([there, here])
  for (const state of ['sending', 'unsure'] as const) {
    store.write((db) => updateOutboxRow(db, own, { state }))
    expect(list()).toEqual([there])
  }
  tell('high water')
  expect(list()).toEqual([{ ...there, content: 'high water' }, here])
})
