import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src-server/database.ts'
import { ask, foundIn, spawnService } from '../support/service-process.ts'

// Whoever runs the service brings an organization back that its owners ended.

const folder = mkdtempSync(join(tmpdir(), 'dunlin-reactivation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('A service that is started with --reactivate lets people in again, and does so from then on', async () => {
  const {
    writers: [writer = { email: '', key: '' }],
  } = foundIn(folder, 1)
  const database = openDatabase(join(folder, 'workspace.db'))
  database.run("INSERT INTO realm VALUES ('is_deactivated', 'true')")
  database.close()
  for (const [args, status] of [
    [[], 401],
    [['--reactivate'], 200],
    [[], 200],
  ] as const) {
    const { baseUrl, kill } = await spawnService(folder, args)
    expect((await ask(baseUrl, writer, 'GET', '/users/me')).status).toBe(status)
    await kill()
  }
})
