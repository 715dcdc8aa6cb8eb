import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { manualClock } from '../../fakes/clock.ts'
import { eventually } from '../../support/until.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { newFolder, openBench, removeFolders, type Bench } from '../trouble/bench.ts'

// After a gap, messages on screen are compared with the server at once; the clock stands still for everything else.

let server: ScriptedServer
let bench: Bench
beforeEach(async () => {
  server = await startScriptedServer({
    subscriptions: [{ stream_id: 7, name: 'tides' }],
    starred_messages: [5],
  })
  server.answer('GET /users/me', {
    success: { user_id: 1, email: 'ada@example.org', full_name: 'Ada Asker' },
  })
  const message = {
    ...{ id: 5, type: 'stream', content: '<p>the old buoy</p>', timestamp: 1_700_000_000, sender_id: 2 },
    ...{ sender_email: 'bo@example.org', sender_full_name: 'Bo', display_recipient: 'tides', stream_id: 7 },
    ...{ subject: 'ebb', flags: ['starred', 'read'] },
  }
  server.answer('GET /messages', {
    success: { messages: [message], found_oldest: true, found_newest: true },
  })
  bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: server.baseUrl, email: 'ada@example.org', apiKey: 'k' },
    clock: manualClock(),
  })
})
afterEach(async () => {
  await bench.close()
  await server.stop()
})
afterAll(removeFolders)

const lists = {
  search: () => ({ accountId: bench.accountId, text: 'buoy', limit: 10 }),
  starred: () => ({ accountId: bench.accountId, limit: 10 }),
}

test.each(['search', 'starred'] as const)('a deleted message leaves what %s shows', async (name) => {
  const { accountId, bridge, until } = bench
  await until('sync-state', { accountId }, ({ status }) => status === 'synced')
  await until('starred', lists.starred(), (rows) => rows.length === 1)
  let shown = -1
  const stop =
    name === 'search'
      ? bridge.watch('search', lists.search(), ({ results }) => (shown = results.length))
      : bridge.watch('starred', lists.starred(), (rows) => (shown = rows.length))
  await eventually(() => shown === 1)
  // It was deleted while events were missed; pages cannot be fetched.
  server.answer('GET /messages', ({ fields }) =>
    fields['message_ids'] === undefined
      ? { error: 'BAD_REQUEST', status: 400 }
      : { success: { messages: [], found_oldest: true, found_newest: true } },
  )
  // The snapshot's list of starred messages is outdated.
  server.loseQueue()
  await eventually(() => shown === 0)
  expect(server.received('POST /register')).toHaveLength(2)
  stop()
})
