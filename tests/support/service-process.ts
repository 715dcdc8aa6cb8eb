import { systemClock } from '../../src-shared/clock/clock.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import { createUser } from '../../src-server/people/accounts.ts'
import { createChannel } from '../../src-server/channels/channels.ts'
import { openDatabase } from '../../src-server/database.ts'
import { foundOrganization } from '../../src-server/organization/found-organization.ts'
import { addSubscriber } from '../../src-server/channels/subscriptions.ts'
import { createWorkspace } from '../../src-server/create-workspace.ts'
import { testConfiguration } from './configuration.ts'

const main = resolve(import.meta.dirname, '../../src-server/main.ts')

/** A person who signs in to a service in its own process. */
export interface Writer {
  readonly email: string
  readonly key: string
}

/**
 * Creates an organization in a data directory, with that many people in one channel; they sign in with the password.
 */
export function foundIn(
  dataDir: string,
  people: number,
  password: string | null = null,
): { writers: Writer[]; channel: number } {
  const database = openDatabase(join(dataDir, 'workspace.db'))
  const workspace = createWorkspace({
    database,
    clock: { ...systemClock, wait: () => Promise.resolve() },
    rateLimit: null,
    featureLevel: 420,
    configuration: testConfiguration(dataDir),
    log: () => {},
  })
  const { user: owner } = foundOrganization(workspace)
  const channel = createChannel(workspace, owner, { name: 'load', description: '' })
  const writers = Array.from({ length: people }, (_, index) => {
    const email = `writer-${index}@example.org`
    const user = createUser(workspace, { fullName: `Writer ${index}`, email, role: 400, password })
    addSubscriber(workspace, user, channel)
    return { email, key: user.api_key }
  })
  database.close()
  return { writers, channel: channel.channel_id }
}

/** A service in a process of its own, as in production. */
export interface ServiceProcess {
  readonly baseUrl: string
  /** Kills it without warning. */
  kill(): Promise<void>
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
}

/** The running services, so that a failing test leaves none behind. */
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a service. `ready` resolves with the address once it listens; if it is killed before, it never resolves.
 */
export function startProcess(
  dataDir: string,
  args: readonly string[] = [],
): { ready: Promise<string> } & Pick<ServiceProcess, 'kill' | 'stop'> {
  const child = spawn(process.execPath, [main, '--data-dir', dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const gone = once(child, 'exit').finally(() => running.delete(child))
  return {
    ready: new Promise((resolve) => {
      // The only line that it prints.
      createInterface({ input: child.stdout }).once('line', (line) =>
        resolve((JSON.parse(line) as { base_url: string }).base_url),
      )
    }),
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

export async function spawnService(dataDir: string, args: readonly string[] = []): Promise<ServiceProcess> {
  const { ready, ...ends } = startProcess(dataDir, args)
  return { baseUrl: await ready, ...ends }
}

/** Runs the service's command until it exits; returns its status and its output. */
export async function runCommand(args: readonly string[]): Promise<{ status: number; said: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8')
    output.on('data', (part: string) => (said += part))
  }
  const [status] = (await once(child, 'close')) as [number]
  return { status, said }
}

/** One request; rejects unless a complete answer arrives. */
export async function ask(
  baseUrl: string,
  { email, key }: Writer,
  method: string,
  path: string,
  fields: Readonly<Record<string, unknown>> | FormData = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const form =
    fields instanceof FormData
      ? fields
      : new URLSearchParams(
          Object.entries(fields).map(([name, value]): [string, string] => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        )
  const response = await fetch(`${baseUrl}${path}${method === 'GET' ? `?${String(form)}` : ''}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` },
    ...(method === 'GET' ? {} : { body: form }),
  })
  // The service's answers are objects.
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
