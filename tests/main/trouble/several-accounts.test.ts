import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { channelId, type AccountId } from '../../../src-shared/ids.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startFaultyNetwork, type FaultyNetwork } from '../../support/faulty-network.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'

// Two accounts of one person: trouble with one does not affect the other.

let services: [TestService, TestService]
let network: FaultyNetwork
let bench: Bench
let channel: number
let other: AccountId

const open = async (directory: string) => {
  const [first] = services
  const account = first.createUser('Maren Aske')
  const baseUrl = `http://127.0.0.1:${network.port}/api/v1`
  return openBench({
    directory,
    signIn: { baseUrl, email: account.email, apiKey: account.apiKey },
    clock: manualClock(),
  })
}

beforeEach(async () => {
  const [first, second] = (services = [await startService(), await startService()])
  network = await startFaultyNetwork(() => Number(new URL(first.baseUrl).port))
  bench = await open(newFolder())
  const there = second.createUser('Maren Aske')
  channel = second.createChannel('gauges', [there.userId])
  const credentials = { kind: 'api-key', email: there.email, apiKey: there.apiKey } as const
  other = (await bench.bridge.call('sign-in', { baseUrl: second.baseUrl, credentials })).accountId
  for (const accountId of [bench.accountId, other])
    await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
})

afterEach(async () => {
  await bench.close()
  await network.close()
  for (const service of services) await service.close()
})

afterAll(removeFolders)

const sendToOther = async (content: string) => {
  await bench.bridge.call('act', {
    accountId: other,
    action: {
      name: 'send-message',
      conversation: { kind: 'topic', channelId: channelId(channel), topic: 'drift' },
      content,
      draftId: null,
    },
  })
  await bench.until('outbox', { accountId: other }, (items) => items.length === 0)
}
const onService = () =>
  services[1].database.all<{ content: string }>('SELECT content FROM messages').map(({ content }) => content)

test.each([
  ['answers nothing', { kind: 'half-open' }],
  ['is reset', { kind: 'reset', afterBytes: 0 }],
] as const)('while the connection of one %s, the other sends, hears and starts', async (_what, fault) => {
  network.be(fault)
  network.cut()
  await sendToOther('one')
  const { directory } = bench
  await bench.close()
  bench = await openBench({ directory, clock: manualClock() })
  await bench.until('sync-state', { accountId: other }, ({ status }) => status === 'synced')
  await sendToOther('two')
  expect(onService()).toEqual(['one', 'two'])
  const state = await bench.ask('sync-state', { accountId: bench.accountId })
  expect(state.status).not.toBe('synced')
})
