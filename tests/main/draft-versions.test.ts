import { dayMs } from '../../src-shared/durations.ts'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { channelId, type DraftId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { manualClock, type ManualClock } from '../fakes/clock.ts'
import { startScriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts'
import { newFolder, openBench, removeFolders, type Bench } from './trouble/bench.ts'

// How long the versions of ended drafts are kept.

let server: ScriptedServer
let clock: ManualClock
let bench: Bench

beforeEach(async () => {
  clock = manualClock()
  server = await startScriptedServer({ subscriptions: [{ stream_id: 7, name: 'tides' }], drafts: [] }, () =>
    clock.now(),
  )
  server.snapshot['user_settings'] = { enable_drafts_synchronization: true }
  server.answer('GET /users/me', {
    success: { user_id: 1, email: 'ada@example.org', full_name: 'Ada Asker' },
  })
  bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: server.baseUrl, email: 'ada@example.org', apiKey: 'k' },
    clock,
  })
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
})
afterEach(async () => {
  await bench.close()
  await server.stop()
})
afterAll(removeFolders)

const draft = (content: string) => ({
  ...{ id: 9, type: 'stream', to: [7], topic: 'drift', content },
  timestamp: Math.floor(clock.now() / 1_000),
})
const versions = () =>
  bench
    .store()
    .db.all<{ content: string; ended_at: number | null }>(
      'SELECT content, ended_at FROM draft_versions ORDER BY number',
    )
/** Sends an event, so that this device knows how much time has passed. */
async function hear(): Promise<void> {
  server.push({ type: 'heartbeat' })
  const { heard_at: before } = bench.store().db.get<{ heard_at: number }>('SELECT heard_at FROM sync') ?? {
    heard_at: 0,
  }
  await expect
    .poll(async () => {
      await clock.advance(1_000)
      return bench.store().db.get<{ heard_at: number }>('SELECT heard_at FROM sync')?.heard_at
    })
    .toBeGreaterThan(before)
}

test('what another device wrote in a draft that was deleted here goes on, and is kept for thirty days after its end', async () => {
  const { accountId, bridge } = bench
  server.answer('POST /drafts', { success: { ids: [9] } })
  server.answer('DELETE /drafts/9', { error: 'INTERNAL', status: 503 })
  const { draftId } = await bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient: topicConversation(channelId(7), 'drift'), content: 'from here' },
  })
  await bridge.call('leave-draft', { accountId, draftId })
  await expect.poll(() => server.received('POST /drafts').length).toBe(1)
  server.push({ type: 'drafts', op: 'add', drafts: [draft('from here')] })
  await bench.until('drafts', { accountId }, ([one]) => one?.state === 'synced')
  await bridge.call('delete-draft', { accountId, draftId })
  await expect.poll(() => server.received('DELETE /drafts/9').length).toBe(1)
  server.push({ type: 'drafts', op: 'update', draft: draft('from elsewhere') })
  await bench.until('drafts', { accountId }, ([one]) => one?.content === 'from elsewhere')
  server.push({ type: 'drafts', op: 'remove', draft_id: 9 })
  await bench.until('drafts', { accountId }, (list) => list.length === 0)
  expect(versions().filter(({ ended_at }) => ended_at === null)).toEqual([])
  clock.set(clock.now() + 28 * dayMs)
  await hear()
  await clock.advance(dayMs)
  expect(versions()).toHaveLength(2)
  clock.set(clock.now() + 2 * dayMs)
  await hear()
  await clock.advance(dayMs)
  expect(versions()).toEqual([])
})

test('a draft tells its last version from another device, and what is done here makes none', async () => {
  const { accountId, bridge } = bench
  const recipient = topicConversation(channelId(7), 'drift')
  const listed = async (content: string) => {
    const all = await bench.until('drafts', { accountId }, ([one]) => one?.content === content)
    return all[0]?.lastElsewhere
  }
  server.answer('POST /drafts', { success: { ids: [9] } })
  const { draftId } = await bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient, content: 'from here' },
  })
  await bridge.call('leave-draft', { accountId, draftId })
  await expect.poll(() => server.received('POST /drafts').length).toBe(1)
  server.push({ type: 'drafts', op: 'add', drafts: [draft('from here')] })
  await bench.until('drafts', { accountId }, ([one]) => one?.state === 'synced')
  expect(await listed('from here')).toBe(null)
  server.push({ type: 'drafts', op: 'update', draft: draft('from elsewhere') })
  const number = await listed('from elsewhere')
  expect(number).toBeGreaterThan(0)
  await bridge.call('restore-draft-version', { accountId, draftId, number: 1 })
  expect(await listed('from here')).toBe(number)
})

test('what another window writes, or a draft that turns out to be the same, counts as no change by another device', async () => {
  const { accountId, bridge } = bench
  const recipient = topicConversation(channelId(7), 'drift')
  server.answer('POST /drafts', { success: { ids: [9] } })
  server.answer('PATCH /drafts/9', { error: 'INTERNAL', status: 503 })
  const save = (content: string, basis: string | null, id: DraftId | null) =>
    bridge.call('save-draft', { accountId, draftId: id, draft: { recipient, content }, basis })
  const { draftId } = await save('low tide', null, null)
  await bridge.call('leave-draft', { accountId, draftId })
  await expect.poll(() => server.received('POST /drafts').length).toBe(1)
  server.push({ type: 'drafts', op: 'add', drafts: [draft('low tide')] })
  await bench.until('drafts', { accountId }, ([one]) => one?.state === 'synced')
  await save('low water', 'low tide', draftId)
  await bridge.call('leave-draft', { accountId, draftId })
  // One window goes back to what the server has; another one, which has not noticed, writes at the same place.
  await save('low tide', 'low water', draftId)
  const { beginsConflict } = await save('low ebb', 'low water', draftId)
  expect(beginsConflict).toBe(true)
  const [here] = await bench.until('drafts', { accountId }, ([one]) => one?.state === 'conflict')
  expect(here?.lastElsewhere).toBe(null)

  const timestamp = 1_772_442_000
  server.push({ type: 'drafts', op: 'add', drafts: [{ ...draft('made twice'), id: 20, timestamp }] })
  server.push({ type: 'drafts', op: 'add', drafts: [{ ...draft('begun elsewhere'), id: 21, timestamp }] })
  await bench.until('drafts', { accountId }, (list) => list.length === 3)
  server.push({ type: 'drafts', op: 'update', draft: { ...draft('made twice'), id: 21, timestamp } })
  const left = await bench.until('drafts', { accountId }, (list) => list.length === 2)
  const one = left.find(({ content }) => content === 'made twice')
  const history = await bench.ask('draft-versions', { accountId, draftId: one?.id ?? draftId })
  expect(history.map(({ content }) => content)).toEqual(['made twice', 'begun elsewhere'])
  expect(one?.lastElsewhere).toBe(history[0]?.number)
})

test('drafts that are one leave one history, and none of them counts as ended', async () => {
  const { accountId, bridge } = bench
  const recipient = topicConversation(channelId(7), 'drift')
  // What the server stored is told before the answer, and not as it was written.
  server.answer('POST /drafts', async () => {
    server.push({ type: 'drafts', op: 'add', drafts: [draft('changed on the way')] })
    await bench.until('drafts', { accountId }, (list) => list.length === 2)
    return { success: { ids: [9] } }
  })
  const { draftId } = await bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient, content: 'from here' },
  })
  await bridge.call('leave-draft', { accountId, draftId })
  await bench.until('drafts', { accountId }, (list) => list.length === 1 && list[0]?.state === 'synced')
  // Two devices made the same draft at the same time.
  const twice = [20, 21].map((id) => ({ ...draft('made twice'), id, timestamp: 1_772_442_000 }))
  server.answer('DELETE /drafts/21', { success: {} })
  server.push({ type: 'drafts', op: 'add', drafts: twice })
  await expect
    .poll(async () => {
      await clock.advance(1_000)
      return server.received('DELETE /drafts/21').length
    })
    .toBe(1)
  await bench.until('drafts', { accountId }, (list) => list.length === 2)
  // Once a day, what belongs to no draft is noticed.
  await hear()
  await clock.advance(dayMs)
  expect(await bench.ask('ended-drafts', { accountId })).toEqual([])
  expect(new Set(versions().map(({ content }) => content))).toEqual(
    new Set(['changed on the way', 'from here', 'made twice']),
  )
  expect(versions().filter(({ ended_at }) => ended_at !== null)).toEqual([])
})
