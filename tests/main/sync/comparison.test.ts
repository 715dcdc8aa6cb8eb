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
/** Restarts, and returns how often the list of messages to compare is read in the next minutes. */
const readsAfterRestart = async () => {
  await account.restart()
  const all = vi.spyOn(account.store.db, 'all')
  await account.untilSynced()
  await account.clock.advance(60_000)
  await account.untilSynced()
  const reads = all.mock.calls.filter(([sql]) =>
    sql.startsWith('SELECT message_id, generation FROM messages'),
  )
  expect(account.calls).toContain('GET /events')
  expect(account.calls).not.toContain('POST /register')
  return reads.length
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
