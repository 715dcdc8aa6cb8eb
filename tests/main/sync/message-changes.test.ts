import { afterEach, beforeEach, expect, test } from 'vitest'
import { addChange, changesOf, putChanges } from '../../../src-main/store/message-changes.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { messageFields } from '../../support/message-fields.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// What is kept of the edits and moves of messages.

let server: ScriptedServer
let account: SyncedAccount
beforeEach(async () => {
  server = await startScriptedServer({ realm_message_edit_history_visibility_policy: 'all' })
  account = openSync(() => server.baseUrl, { email: 'ada@example.org', apiKey: 'k', userId: 1 })
  await account.untilSynced()
  account.store.write((db) => {
    for (const id of [1, 2, 3])
      putMessage(
        db,
        messageFields({ id, conversation: topicConversation(7, 'ebb'), editedAt: id === 3 ? 5 : null }),
        1,
      )
  })
})
afterEach(async () => {
  await account.close()
  await server.stop()
})

const event = (change: object) => ({
  type: 'update_message',
  user_id: 2,
  edit_timestamp: 10,
  message_id: 1,
  message_ids: [1],
  flags: [],
  rendering_only: false,
  stream_id: 7,
  ...change,
})
const words = {
  content: 'b',
  rendered_content: '<p>b</p>',
  orig_content: 'a',
  orig_rendered_content: '<p>a</p>',
}
const policy = (value: string) => ({
  type: 'realm',
  op: 'update',
  property: 'message_edit_history_visibility_policy',
  value,
})
const applied = async (...events: object[]) => {
  const before = Number(account.rows('SELECT last_event_id AS id FROM sync')[0]?.['id'])
  server.push(...events)
  await account.until(
    () => account.rows('SELECT 1 FROM sync WHERE last_event_id >= ?', before + events.length).length > 0,
  )
}
const kept = (id: number) => changesOf(account.store.db, id)
const edit = { at: 10_000, userId: 2, before: { markdown: 'a', html: '<p>a</p>' } }

test('an edit that also moves other messages is kept with each; the mark of a resolved topic only with changed ones', async () => {
  const from = { channelId: null, topic: 'ebb' }
  await applied(
    event({ message_ids: [1, 2, 3, 4], orig_subject: 'ebb', subject: '✔ ebb', edit_timestamp: 8 }),
    event({ ...words, message_ids: [1, 2], orig_subject: '✔ ebb', subject: 'flood' }),
    event({ ...words, user_id: null, rendering_only: true, edit_timestamp: 12 }),
  )
  expect(kept(1)).toEqual({
    changes: [{ ...edit, from: { channelId: null, topic: '✔ ebb' } }],
    hasEarlier: false,
  })
  expect(kept(2)?.changes).toEqual([{ at: 10_000, userId: 2, from: { channelId: null, topic: '✔ ebb' } }])
  // It was edited before, and nobody knows how.
  expect(kept(3)).toEqual({ changes: [{ at: 8_000, userId: 2, from }], hasEarlier: true })
  expect(kept(4)).toBe(null)
})

test('what an answer already had is not added twice, and no more is kept than there is room for', () => {
  account.store.write((db) => {
    putChanges(db, 1, [
      { ...edit, before: { markdown: 'a', html: null } },
      { ...edit, at: 11_000 },
    ])
    addChange(db, [1], edit, { isOnlyMark: false })
    expect(changesOf(db, 1)?.changes).toHaveLength(2)
    const long = (at: number) => ({ ...edit, at, before: { markdown: 'x'.repeat(40_000), html: null } })
    putChanges(db, 2, [long(1), edit, long(2)])
    expect(changesOf(db, 2)).toEqual({ changes: [edit, long(2)], hasEarlier: true })
    addChange(db, [2], long(3), { isOnlyMark: false })
    expect(changesOf(db, 2)).toEqual({ changes: [long(3)], hasEarlier: true })
  })
})

test('nothing is kept that the organization hides, nor what was kept before it did', async () => {
  const move = { orig_subject: 'ebb', subject: 'flood' }
  await applied(event(words))
  expect(kept(1)?.changes).toEqual([edit])
  await applied(policy('moves'))
  expect(kept(1)).toBe(null)
  await applied(
    event(words),
    event({ ...words, ...move, message_id: 2, message_ids: [2], edit_timestamp: 20 }),
  )
  expect(kept(1)).toBe(null)
  expect(kept(2)?.changes).toEqual([{ at: 20_000, userId: 2, from: { channelId: null, topic: 'ebb' } }])
  // What was hidden is missing in it, so it would pass for the whole history.
  await applied(policy('all'))
  expect(kept(2)).toBe(null)
  await applied(event(words))
  expect(kept(1)?.changes).toEqual([edit])
  await applied(policy('none'))
  expect(kept(1)).toBe(null)
  await applied(event({ ...words, ...move }))
  expect(kept(1)).toBe(null)
})

test('nothing is kept that the organization began to hide while no event could tell', async () => {
  account.store.write((db) => putChanges(db, 9, [edit]))
  server.snapshot['realm_message_edit_history_visibility_policy'] = 'none'
  const { generation } = account
  server.loseQueue()
  await account.until(() => account.generation > generation)
  expect(kept(9)).toBe(null)
})
