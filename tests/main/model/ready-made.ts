import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openStore } from '../../../src-main/store/database.ts'
import { buildServer } from '../../../src-server/build-server.ts'
import { openDatabase, type Database } from '../../../src-server/database.ts'
import type { Workspace } from '../../../src-server/workspace.ts'
import { makeFolder, removeFolder } from '../../support/temporary-folder.ts'

// Files that every world begins with, made once: there are thousands of worlds.

/** A folder in memory if there is one: its files are as real as on a disk, and closing them is faster. */
export const filesIn = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The content of the file that `make` writes. The folder is removed at once, because Vitest's workers end abruptly. */
export function contentOf(make: (path: string) => void): Buffer {
  const folder = makeFolder(filesIn)
  try {
    const path = join(folder, 'made.db')
    make(path)
    return readFileSync(path)
  } finally {
    removeFolder(folder)
  }
}

let account: Buffer | null = null

/** The file of a new account. */
export function emptyAccount(): Buffer {
  account ??= contentOf((path) => openStore(path, () => {}).close())
  return account
}

let content: Buffer | null = null

/** The service's database before anybody has signed up, in memory. */
export function emptyDatabase(): Database {
  content ??= contentOf((path) => {
    const made = openDatabase(':memory:')
    made.run('VACUUM INTO ?', path)
    made.close()
  })
  return openDatabase(content)
}

/** A server that serves whichever workspace it is given next. */
interface Server {
  readonly instance: FastifyInstance
  serve(workspace: Workspace): void
}

/** Unused servers, by feature level. */
const idle = new Map<number, Server[]>()

/** A server with the service's routes over this workspace, until it is given back. */
export async function serverOf(
  workspace: Workspace,
): Promise<{ server: FastifyInstance; giveBack: () => Promise<void> }> {
  // The server counts requests itself, and must not count those of other worlds.
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
