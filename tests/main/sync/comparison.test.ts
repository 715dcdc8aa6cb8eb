import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { doubtJoined, doubtSome } from '../../../src-main/store/doubted-channels.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { messageFields } from '../../support/message-fields.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

let server: ScriptedServer
let account: SyncedAccount

beforeEach(async () => {
  server = await startScriptedServer()
  account = openSync(() => server.baseUrl, { email: 'ada@example.org', apiKey: 'k', userId: 1 })
  await account.untilSynced()
})
afterEach(async () => {
  await account.close()
  await server.stop()
})

const isCompared = () => {
  const { generation, comparedGeneration } = readCursor(account.store.db)
  return comparedGeneration === generation
}
/** How often the list of messages to compare is read in the minutes after an event. */
const reads = async (...events: object[]) => {
  const all = vi.spyOn(account.store.db, 'all')
  server.push(...events)
  await account.untilSynced()
  await account.clock.advance(60_000)
  await account.untilSynced()
  return all.mock.calls.filter(([sql]) => sql.startsWith('SELECT message_id, generation FROM messages'))
    .length
}
const readsAfterRestart = async () => {
  await account.restart()
  const count = await reads()
  expect(account.calls).toContain('GET /events')
  expect(account.calls).not.toContain('POST /register')
  return count
}

test('after a restart within the life of the queue, no message is looked at again', async () => {
  await account.until(isCompared)
  expect(await readsAfterRestart()).toBe(0)
})

test('what a joined channel has here is compared after a restart, if it was not before', async () => {
  await account.until(isCompared)
  account.store.write((db) => {
    putMessage(db, messageFields({ id: 7, conversation: topicConversation(3, 'x') }), account.generation)
    doubtJoined(db, 3)
    doubtSome(db, 3, 100)
  })
  expect(isCompared()).toBe(false)
  expect(await readsAfterRestart()).toBeGreaterThan(0)
  await account.until(isCompared, 10_000)
})

test('a channel of which nothing is here is joined without looking at all messages again', async () => {
  await account.until(isCompared)
  const before = account.calls.filter((call) => call === 'GET /messages').length
  const join = { type: 'subscription', op: 'add', subscriptions: [{ stream_id: 3, name: 'wind' }] }
  expect(await reads(join)).toBe(0)
  expect(account.calls.filter((call) => call === 'GET /messages').length).toBeGreaterThan(before)
  expect(isCompared()).toBe(true)
})
