import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { channelId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'

let service: TestService
let bench: Bench
let topic: Conversation & { kind: 'topic' }

beforeEach(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  topic = {
    kind: 'topic',
    channelId: channelId(service.createChannel('gauges', [maren.userId])),
    topic: 'drift',
  }
  const signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
  bench = await openBench({ directory: newFolder(), signIn, clock: manualClock() })
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
})
afterEach(async () => {
  await bench.close()
  await service.close()
})
afterAll(removeFolders)

const send = (content: string) =>
  bench.bridge.call('act', {
    accountId: bench.accountId,
    action: { name: 'send-message', conversation: topic, content, draftId: null },
  })
const sent = () =>
  service.database
    .all<{ content: string }>('SELECT content FROM messages ORDER BY message_id')
    .map(({ content }) => content)

test.each([
  ['cut short', '{"name":"send-mess'],
  ['of a later version', '{"name":"send-hologram","content":"in the round"}'],
])('a change whose text is %s is refused in sight, and everything else goes on', async (_what, payload) => {
  const { accountId } = bench
  const reason =
    'This version of Dunlin can’t read this change, so it isn’t sent. A newer version may be able to; otherwise, discard it.'
  await service.stop()
  const { localId } = await send('unreadable')
  await send('after it')
  const stored = (text: string) =>
    bench.store().write((db) => db.run('UPDATE outbox SET payload = ? WHERE local_id = ?', [text, localId]))
  stored(payload)
  await bench.close()
  bench = await openBench({ directory: bench.directory, clock: manualClock() })
  const params = { accountId, narrow: topic, around: 'newest', before: 50, after: 0 } as const
  const feed = await bench.ask('feed', params)
  expect(feed.waiting.map(({ contentMarkdown }) => contentMarkdown)).toEqual(['after it'])
  await service.start()
  const left = await bench.until('outbox', { accountId }, (items) => items.length === 1)
  expect(sent()).toEqual(['after it'])
  expect(left).toMatchObject([{ localId, state: { state: 'refused', reason } }])
  expect((await bench.ask('sync-state', { accountId })).needsYou.changes).toBe(1)
  const retried = bench.bridge.call('retry-outbox-item', { accountId, localId })
  expect(failureOf(await retried.catch((error: unknown) => error))).toMatchObject({ message: reason })
  await bench.bridge.call('discard-outbox-item', { accountId, localId })
  expect(await bench.ask('outbox', { accountId })).toEqual([])
})
