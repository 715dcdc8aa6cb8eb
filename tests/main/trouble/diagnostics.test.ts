import { rmSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { diagnostics } from '../../../src-main/queries/diagnostics.ts'
import { newestOf } from '../../../src-main/store/open-file.ts'
import { journalPath } from '../../../src-main/store/journal.ts'
import { reportText } from '../../../src-renderer/views/diagnostics/report.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { createWorld } from '../model/world.ts'
import { asKilled, newFolder, openBench, removeFolders, type Bench } from './bench.ts'

let server: ScriptedServer | null = null
let bench: Bench | null = null
afterEach(async () => {
  await bench?.close()
  await server?.stop()
  bench = server = null
})
afterAll(removeFolders)

test('the report tells how things stand, with no word, name or address of anybody', async () => {
  server = await startScriptedServer({
    service_feature_level: 200,
    service_version: '8.1',
    realm_name: 'Skerry Coast',
    realm_users: [
      { user_id: 2, email: 'bo@example.org', full_name: 'Bo Birk' },
      { user_id: 'three', full_name: 'Cy Cress' },
    ],
    subscriptions: [{ stream_id: 7, name: 'tides' }],
  })
  server.answer('GET /users/me', {
    success: { user_id: 1, email: 'ada@example.org', full_name: 'Ada Asker' },
  })
  const now = Date.UTC(2026, 2, 2, 9)
  bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: server.baseUrl, email: 'ada@example.org', apiKey: 'a-secret-key' },
    clock: manualClock(now),
  })
  const { accountId, bridge, until, ask } = bench
  await until('sync-state', { accountId }, ({ status }) => status === 'synced')
  server.push(
    {
      type: 'message',
      flags: [],
      message: {
        id: 5,
        type: 'stream',
        content: '<p>a secret of the harbour</p>',
        timestamp: 1_700_000_000,
        sender_id: 2,
        sender_email: 'bo@example.org',
        sender_full_name: 'Bo Birk',
        display_recipient: 'tides',
        stream_id: 7,
        subject: 'whispers',
      },
    },
    { type: 'reaction', op: 'add', message_id: 'a secret of the harbour' },
  )
  server.answer('POST /messages', { error: 'BAD_REQUEST', status: 400 })
  const conversation = { kind: 'topic', channelId: channelId(7), topic: 'whispers' } as const
  await bridge.call('act', {
    accountId,
    action: { name: 'send-message', conversation, content: 'another secret', draftId: null },
  })
  await bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient: conversation, content: 'a third secret' },
  })
  const found = await until('diagnostics', { accountId }, ({ outbox, setAside }) => {
    const isRefused = outbox.some(({ name, count }) => name === 'refused' && count === 1)
    return isRefused && setAside.some(({ what }) => what === 'register:reaction')
  })
  expect(found).toMatchObject({
    server: {
      featureLevel: 200,
      version: '8.1',
      missing: expect.arrayContaining(['Messages need a topic.']),
    },
    queue: { isRegistered: expect.any(Boolean) },
    file: { bytes: expect.any(Number), ownChanges: expect.any(Number) },
  })
  expect(found.setAside.map(({ what }) => what)).toContain('snapshot:realm_users')
  expect(found.drafts.reduce((sum, { count }) => sum + count, 0)).toBe(1)
  // A keystroke is a change too, although it writes only its own row.
  const { draftId } = await bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient: null, content: 'ebb' },
  })
  const { ownChanges } = (await ask('diagnostics', { accountId })).file
  await bridge.call('save-draft', {
    accountId,
    draftId,
    draft: { recipient: null, content: 'ebb and' },
    basis: 'ebb',
  })
  expect((await ask('diagnostics', { accountId })).file.ownChanges).toBe(ownChanges + 1)
  const report = reportText(found, await ask('sync-state', { accountId }), now)
  expect(report).toContain('feature level 200, version 8.1')
  expect(report).toContain('outbox: 1 refused')
  expect(report).toMatch(/1 × snapshot:realm_users: realm_users\.1\.user_id/)
  expect(report).toContain('register:reaction')
  for (const text of [JSON.stringify(found), report]) {
    expect(text).not.toMatch(/secret|whispers|tides|Birk|Cress|Asker|example\.org|Skerry|127\.0\.0\.1/i)
  }
})

test('what is told of the file is what lies on the disk, and what was found when it was opened', async () => {
  server = await startScriptedServer({})
  server.answer('GET /users/me', {
    success: { user_id: 1, email: 'ada@example.org', full_name: 'Ada Asker' },
  })
  const now = Date.UTC(2026, 2, 2, 9)
  const signIn = { baseUrl: server.baseUrl, email: 'ada@example.org', apiKey: 'a-secret-key' }
  const directory = newFolder()
  bench = await openBench({ directory, signIn, clock: manualClock(now) })
  const first = bench
  const { accountId, bridge, until, path } = bench
  await until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const draft = { recipient: null, content: 'ebb' }
  await bridge.call('save-draft', { accountId, draftId: null, draft })
  const journal = journalPath(path)
  const ask = () => first.ask('diagnostics', { accountId })
  let { file } = await ask()
  // Waiting changes are still being tried meanwhile, and each try is written.
  const asFound = async () => {
    ;({ file } = await ask())
    const { size, mtimeMs } = statSync(journal)
    return {
      told: [file.logBytes, file.movedAt, file.journal?.bytes, file.journal?.writtenAt],
      isSo: [statSync(`${path}-wal`).size, Math.floor(statSync(path).mtimeMs), size, Math.floor(mtimeMs)],
    }
  }
  await expect.poll(asFound).toSatisfy(({ told, isSo }) => String(told) === String(isSo))
  expect(file).toMatchObject({ form: newestOf(), check: null })
  expect(file.logBytes).toBeGreaterThan(0)
  expect(file.freeBytes).toBeGreaterThan(0)
  expect(file.journal?.begunAt).toBeLessThanOrEqual(file.journal?.writtenAt ?? 0)
  expect(reportText(await ask(), undefined, now)).toMatch(
    /check since the start: none\njournal: \d+ bytes, begun 2\d{3}-/,
  )

  const opened = async (folder: string, later: number) => {
    await bench?.close()
    bench = await openBench({ directory: folder, clock: manualClock(later) })
    return (await bench.ask('diagnostics', { accountId })).file
  }
  const killed = asKilled(directory)
  const damaged = asKilled(directory)
  expect((await opened(killed, now + 1_000)).check).toEqual({ at: now + 1_000, isSound: true })
  expect((await opened(killed, now + 2_000)).check).toBe(null)
  const harmed = path.replace(directory, damaged)
  rmSync(`${harmed}-wal`)
  writeFileSync(harmed, 'no database at all')
  expect((await opened(damaged, now + 3_000)).check).toEqual({ at: now + 3_000, isSound: false })
  // Changes that waited at the kill are being looked up, which is written too.
  const rebuilt = async () => {
    const told = (await bench?.ask('diagnostics', { accountId }))?.file.journal?.bytes
    return { told, isSo: statSync(journalPath(harmed)).size }
  }
  await expect.poll(rebuilt).toSatisfy(({ told, isSo }) => told === isSo)
})

test('the report follows what happens to queue, history, outbox, drafts and file', async () => {
  const world = await createWorld(1)
  try {
    await world.pass(3_000)
    const [device] = world.devices
    if (device === undefined) throw new Error('There is no device.')
    const { outbox, drafts } = device.account
    const now = () => diagnostics(device.account.queryContext())
    const topic = topicConversation(world.channelId, 'drift')
    await world.ask(
      'POST',
      '/messages',
      `type=stream&to=${world.channelId}&topic=drift&content=x`,
      world.other,
    )
    await world.pass(1_000)
    expect(now()).toMatchObject({
      queue: { isRegistered: true, generation: 1 },
      messages: { count: 1, isMore: false },
      outbox: [],
      drafts: [],
      setAside: [],
    })
    expect(now().messages.ranges).toContainEqual({ name: 'combined', count: 1, live: 1 })
    await device.account.sync.loadOlder(topic, null)
    await world.pass(1_000)
    expect(now().messages.ranges.map(({ name }) => name)).toContain('topic')
    expect(now().messages.ranges.map(({ name }) => name)).not.toContain('checked')

    device.setConnected(false)
    await world.pass(20_000)
    outbox.enqueue({ name: 'send-message', conversation: topic, content: 'one', draftId: null })
    const { draftId } = drafts.save(null, { recipient: topic, content: 'ebb' })
    expect(now()).toMatchObject({
      outbox: [{ name: 'waiting', count: 1 }],
      drafts: [{ name: 'edited', count: 1 }],
    })

    device.loseQueue()
    device.setConnected(true)
    await world.pass(100_000)
    expect(now()).toMatchObject({
      queue: { isRegistered: true, generation: 2 },
      messages: { count: 2 },
      outbox: [],
      drafts: [{ name: 'synced', count: 1 }],
    })
    device.setConnected(false)
    drafts.delete(draftId)
    expect(now().drafts).toEqual([{ name: 'ended', count: 1 }])
    expect(now().versions).toBeGreaterThan(0)
  } finally {
    await world.close()
  }
})
