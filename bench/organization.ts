// A service with a large organization, in a thread of its own; see first-sync.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { buildServer } from '../src-server/build-server.ts'
import { systemClock } from '../src-shared/clock/clock.ts'
import { openDatabase } from '../src-server/database.ts'
import { foundOrganization } from '../src-server/organization/found-organization.ts'
import { createWorkspace } from '../src-server/create-workspace.ts'
import { testConfiguration } from '../tests/support/configuration.ts'
import { fillService } from './service-workload.ts'

const directory = mkdtempSync(join(tmpdir(), 'dunlin-bench-organization-'))
const database = openDatabase(join(directory, 'workspace.db'))
const workspace = createWorkspace({
  database,
  clock: systemClock,
  rateLimit: null,
  featureLevel: 420,
  configuration: testConfiguration(directory),
  log: () => {},
})
foundOrganization(workspace)
// Given by first-sync.ts.
const { people } = fillService(workspace, workerData as number)
const server = buildServer(workspace)
workspace.url = await server.listen({ port: 0, host: '127.0.0.1' })
parentPort?.postMessage({ url: workspace.url, ...people[0] })
parentPort?.once('message', () => {
  workspace.queues.expireAll()
  void server.close().then(() => {
    database.close()
    rmSync(directory, { recursive: true, force: true })
    process.exit()
  })
})
