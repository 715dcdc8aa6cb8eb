import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '../src-server/build-server.ts'
import { systemClock } from '../src-shared/clock/clock.ts'
import { openDatabase } from '../src-server/database.ts'
import { foundOrganization } from '../src-server/organization/found-organization.ts'
import { createWorkspace } from '../src-server/create-workspace.ts'
import type { Line } from './measure.ts'
import type { Bench } from './service-http.ts'
import { liveQueues } from './service-live.ts'
import { posting } from './service-posting.ts'
import { reading, registering } from './service-reading.ts'
import { fillService } from './service-workload.ts'

const parts = {
  live: liveQueues,
  register: registering,
  reading,
  posting,
} as const
export type ServicePart = keyof typeof parts
export const isServicePart = (name: string): name is ServicePart => Object.hasOwn(parts, name)
// The keys of the table are its names.
export const serviceParts = Object.keys(parts) as ServicePart[]

/** Measures these parts of the service with `messages` messages; every line is compared with its floor. */
export async function serviceLines(
  messages: number,
  rounds: number,
  wanted: readonly ServicePart[],
  say: (line: string) => void,
): Promise<{ lines: Line[]; facts: string[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-bench-service-'))
  const db = openDatabase(join(directory, 'workspace.db'), 'power-cut')
  const workspace = createWorkspace({
    database: db,
    clock: systemClock,
    rateLimit: null,
    featureLevel: 420,
    configuration: {
      filesDirectory: join(directory, 'files'),
      maxUploadMib: 25,
      uploadQuotaMib: null,
      visibleMessages: null,
      allowPrivateWebhooks: false,
      pushBouncerUrl: null,
      limitsPresence: false,
      invitationValidityMinutes: 14_400,
      accountCreators: [],
      allowedHosts: [],
      passwordCost: { log2N: 10, passes: 1 },
      sendMail: () => {},
    },
    log: say,
  })
  foundOrganization(workspace)
  say(`filling a service with ${messages} messages`)
  const filled = fillService(workspace, messages)
  const server = buildServer(workspace)
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  workspace.url = url
  const bench: Bench = { workspace, db, url, filled }
  const facts: string[] = []
  try {
    const lines: Line[] = []
    for (const [name, part] of Object.entries(parts))
      if (wanted.some((one) => one === name)) lines.push(...(await part(bench, rounds, facts, say)))
    return { lines, facts }
  } finally {
    workspace.queues.expireAll()
    await server.close()
    db.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
