import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src-server/database.ts'
import { isDeactivated } from '../../src-server/workspace.ts'
import { ask, foundIn, spawnService } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Whoever runs the service brings an organization back that its owners ended.

const folder = temporaryFolder(afterAll)

test('A service that is started with --reactivate lets people in again, and does so from then on', async () => {
  const {
    writers: [writer = { email: '', key: '' }],
  } = foundIn(folder, 1)
  const database = openDatabase(join(folder, 'workspace.db'))
  database.run("INSERT INTO realm VALUES ('is_deactivated', 'true')")
  expect(isDeactivated(database)).toBe(true)
  database.close()
  const { baseUrl, stop } = await spawnService(folder, ['--reactivate'])
  expect((await ask(baseUrl, writer, 'GET', '/users/me')).status).toBe(200)
  await stop()
  const after = openDatabase(join(folder, 'workspace.db'))
  expect(isDeactivated(after)).toBe(false)
  after.close()
})
