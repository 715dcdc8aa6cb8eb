import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { buildServer } from '../../../src-server/build-server.ts'
import { openDatabase, type Database } from '../../../src-server/database.ts'
import { demoAccounts, seedDemo } from '../../../src-server/demo/index.ts'
import { createWorkspace } from '../../../src-server/create-workspace.ts'
import type { Workspace } from '../../../src-server/workspace.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import { testConfiguration } from '../../support/configuration.ts'
import type { Answer, Fields } from '../../support/organization.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A Thursday at noon. */
export const noon = Date.UTC(2026, 10, 19, 12)

/** A demo workspace on a clock that stands still until a test moves it. */
export interface Demo {
  readonly workspace: Workspace
  readonly clock: ManualClock
  /** Calls of the database while it was filled. */
  readonly statements: number
  /** What the service logged. */
  readonly logged: readonly string[]
}

export function openDemo(): Demo {
  const clock = manualClock(noon)
  const database = openDatabase(':memory:')
  const directory = temporaryFolder(afterAll)
  afterAll(() => database.close())
  let statements = 0
  const count =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      statements++
      return work(...args)
    }
  const counted: Database = {
    ...database,
    all: count(database.all) as Database['all'],
    column: count(database.column) as Database['column'],
    get: count(database.get) as Database['get'],
    run: count(database.run),
  }
  const logged: string[] = []
  const workspace = createWorkspace({
    database: counted,
    clock,
    rateLimit: null,
    featureLevel: 420,
    configuration: testConfiguration(directory),
    log: (line) => logged.push(line),
  })
  seedDemo(workspace)
  return { workspace, clock, statements, logged }
}

/** Asks the service over HTTP as one of the demo's people. */
export type Ask = (method: 'GET' | 'POST', path: string, fields?: Fields) => Promise<Answer['body']>

/** Listens on a port of this machine; answers how to ask as the person with a name. */
export async function serve({ workspace }: Demo): Promise<(name: string) => Ask> {
  const server = buildServer(workspace)
  await server.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => server.close())
  // Listening on an address and a port, so this is not a pipe's name.
  const { port } = server.server.address() as AddressInfo
  const accounts = demoAccounts(workspace)
  return (name) =>
    async (method, path, fields = {}) => {
      const account = accounts.find(({ full_name }) => full_name === name)
      const form = new URLSearchParams(
        Object.entries(fields).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      )
      const response = await fetch(
        `http://127.0.0.1:${port}/api/v1${path}${method === 'GET' ? `?${form.toString()}` : ''}`,
        {
          method,
          headers: { authorization: `Basic ${btoa(`${account?.email}:${account?.api_key}`)}` },
          ...(method === 'GET' ? {} : { body: form }),
        },
      )
      const body = await response.json()
      if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
      return body
    }
}
