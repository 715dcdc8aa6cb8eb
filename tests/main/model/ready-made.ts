import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openStore } from '../../../src-main/store/database.ts'
import { buildServer } from '../../../src-server/build-server.ts'
import { openDatabase, type Database } from '../../../src-server/database.ts'
import type { Workspace } from '../../../src-server/workspace.ts'

// What every world begins with, made once: there are thousands of worlds.

/** Whether memory can be written to as a disk: the files are as real there, and closing them is quicker. */
export const filesIn = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** What is in the one file that `make` makes, in a folder that is gone again: a worker of Vitest ends without a word. */
function contentOf(make: (path: string) => void): Buffer {
  const folder = mkdtempSync(join(filesIn, 'dunlin-model-ready-'))
  try {
    const path = join(folder, 'made.db')
    make(path)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let account: Buffer | null = null

/** What is in the file of a new account. */
export function emptyAccount(): Buffer {
  account ??= contentOf((path) => openStore(path, () => {}).close())
  return account
}

let content: Buffer | null = null

/** What a service has before anybody is there, in memory. */
export function emptyDatabase(): Database {
  content ??= contentOf((path) => {
    const made = openDatabase(':memory:')
    made.run('VACUUM INTO ?', path)
    made.close()
  })
  return openDatabase(content)
}

/** One that answers for whatever workspace it is given next. */
interface Server {
  readonly instance: FastifyInstance
  serve(workspace: Workspace): void
}

/** Those that nobody uses, by feature level. */
const idle = new Map<number, Server[]>()

/** The routes of a service over this workspace, until they are given back. */
export async function serverOf(
  workspace: Workspace,
): Promise<{ server: FastifyInstance; giveBack: () => Promise<void> }> {
  // Counting requests is done by the server itself, which must not count those of others.
  if (workspace.rateLimit !== null) {
    const server = buildServer(workspace)
    await server.ready()
    return { server, giveBack: () => server.close() }
  }
  const list = idle.get(workspace.featureLevel) ?? []
  idle.set(workspace.featureLevel, list)
  const server = list.pop() ?? (await newServer(workspace))
  server.serve(workspace)
  return { server: server.instance, giveBack: async () => void list.push(server) }
}

async function newServer(first: Workspace): Promise<Server> {
  let workspace = first
  const present = new Proxy(first, { get: (_first, name) => Reflect.get(workspace, name) as unknown })
  const instance = buildServer(present)
  await instance.ready()
  return { instance, serve: (next) => void (workspace = next) }
}
