import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { messageId } from '../../src-shared/ids.ts'
import type { Emoji } from '../../src-shared/model/message.ts'
import { manualClock } from '../fakes/clock.ts'
import { startScriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts'
import { newFolder, openBench, removeFolders, type Bench } from './trouble/bench.ts'

// Some servers accept some names only as real servers spell them; others accept only the specification's spelling.

const extra: Emoji = { name: 'zulip', code: 'zulip', type: 'service_extra_emoji' }

let server: ScriptedServer
let bench: Bench | null = null
let reactions: string[]

beforeEach(() => {
  reactions = []
})
afterEach(async () => {
  await bench?.close()
  await server.stop()
})
afterAll(removeFolders)

/** Starts a server that refuses every spelling but its own, as servers do. */
async function open(levelNames: readonly string[], ownSpelling: string): Promise<Bench> {
  const levels = Object.fromEntries(levelNames.map((name) => [name, 420]))
  server = await startScriptedServer()
  delete server.snapshot['service_feature_level']
  Object.assign(server.snapshot, levels)
  server.answer('GET /users/me', {
    success: { user_id: 1, email: 'ada@example.org', full_name: 'Ada Asker' },
  })
  server.answer('GET /server_settings', { success: { ...levels, realm_name: 'Scripted' } })
  server.answer('POST /messages/5/reactions', ({ fields }) => {
    if (fields['reaction_type'] !== ownSpelling) return { error: 'BAD_REQUEST', status: 400 }
    reactions.push(fields['emoji_code'] ?? '')
    return { success: {} }
  })
  server.answer('DELETE /messages/5/reactions', ({ fields }) => {
    const at = fields['reaction_type'] === ownSpelling ? reactions.indexOf(fields['emoji_code'] ?? '') : -1
    if (at < 0) return { error: 'REACTION_DOES_NOT_EXIST', status: 400 }
    reactions.splice(at, 1)
    return { success: {} }
  })
  server.answer('POST /users/me/status', ({ fields }) =>
    fields['reaction_type'] === ownSpelling ? { success: {} } : { error: 'BAD_REQUEST', status: 400 },
  )
  bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: server.baseUrl, email: 'ada@example.org', apiKey: 'k' },
    clock: manualClock(),
  })
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
  return bench
}
async function expectThatAllGoes(one: Bench): Promise<void> {
  const { accountId, bridge } = one
  const react = (on: boolean) =>
    bridge.call('act', { accountId, action: { name: 'react', messageId: messageId(5), emoji: extra, on } })
  const untilSent = () => one.until('outbox', { accountId }, (items) => items.length === 0)
  await react(true)
  await untilSent()
  expect(reactions).toEqual(['zulip'])
  await react(false)
  await untilSent()
  expect(reactions).toEqual([])
  await bridge.call('act', { accountId, action: { name: 'set-status', text: 'away', emoji: extra } })
  await untilSent()
}

test.each([
  ['zulip_feature_level', 'zulip_extra_emoji'],
  ['service_feature_level', 'service_extra_emoji'],
])('a server that tells its %s gets the name %s', async (levelName, spelling) => {
  await expectThatAllGoes(await open([levelName], spelling))
})

test('a server that tells its level under both names gets those of the specification', async () => {
  await expectThatAllGoes(await open(['zulip_feature_level', 'service_feature_level'], 'service_extra_emoji'))
})

test('which names a server knows is remembered beyond a restart, without another registration', async () => {
  const before = await open(['zulip_feature_level'], 'zulip_extra_emoji')
  await before.close()
  bench = await openBench({ directory: before.directory, clock: manualClock() })
  await expectThatAllGoes(bench)
  expect(server.received('POST /register')).toHaveLength(1)
})
