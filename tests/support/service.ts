import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createUser } from '../../src-server/people/accounts.ts'
import { buildServer } from '../../src-server/build-server.ts'
import { openDatabase, type Database } from '../../src-server/database.ts'
import type { Configuration, Mail } from '../../src-server/configuration.ts'
import { systemClock, type Clock } from '../../src-shared/clock/clock.ts'
import { foundOrganization } from '../../src-server/organization/found-organization.ts'
import { createChannel } from '../../src-server/channels/channels.ts'
import { sendMessage } from '../../src-server/messages/messages.ts'
import { runSchedule } from '../../src-server/messages/schedule.ts'
import { addSubscriber } from '../../src-server/channels/subscriptions.ts'
import { runWebhooks } from '../../src-server/webhooks/deliver.ts'
import { scansIn, watchedDatabase } from './query-plans.ts'
import { stoppedServices } from './stopped-services.ts'
import { testConfiguration } from './configuration.ts'
import { channelById, userById, type UserRow, type Workspace } from '../../src-server/workspace.ts'
import { createWorkspace } from '../../src-server/create-workspace.ts'
import { makeFolder, removeFolder } from './temporary-folder.ts'

/** The real service on a real port of this machine, for tests; it can stop and restart on the same port. */
export interface TestService {
  readonly baseUrl: string
  readonly workspace: Workspace
  /** Its database, for tests to inspect; statements from here may be slower than those of requests. */
  readonly database: Database
  /** The founder of the organization. */
  readonly owner: UserRow
  /** The mails that the service wanted sent, oldest first. */
  readonly mails: readonly Mail[]
  createUser(name: string, role?: number): { email: string; apiKey: string; password: string; userId: number }
  createChannel(name: string, userIds: readonly number[]): number
  send(from: number, channelId: number, topic: string, content: string): number
  /** Stops listening, like a service that is down; its queues are lost when it restarts. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Restarts it at another feature level, with its data, on another port. */
  restartAt(featureLevel: number): Promise<void>
  close(): Promise<void>
}

export interface TestServiceOptions {
  /** The service's clock, which its answers tell too; if absent, the real one. */
  readonly clock?: Clock
  /** The rate limit per person, requests per minute; if absent, no limit. */
  readonly rateLimit?: number
  readonly featureLevel?: number
  readonly configuration?: Partial<Configuration>
}

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const directory = makeFolder()
  const file = openDatabase(join(directory, 'workspace.db'))
  const { database, statements } = watchedDatabase(file)
  const mails: Mail[] = []
  let featureLevel = options.featureLevel ?? 420
  const newWorkspace = () =>
    createWorkspace({
      database,
      clock: options.clock ?? systemClock,
      rateLimit: options.rateLimit ?? null,
      featureLevel,
      checksAnswers: true,
      configuration: {
        ...testConfiguration(directory),
        sendMail: (mail) => mails.push(mail),
        ...options.configuration,
      },
      log: (line) => console.error(line),
    })
  let workspace = newWorkspace()
  const owner = foundOrganization(workspace)
  let server: FastifyInstance | null = null
  let port = 0
  let stopping = new AbortController()
  let webhooks = Promise.resolve()
  const start = async () => {
    stoppedServices.delete(start)
    workspace = newWorkspace()
    server = buildServer(workspace)
    const { clock } = options
    if (clock !== undefined)
      server.addHook('onSend', (_request, reply, _payload, done) => {
        reply.header('date', new Date(clock.now()).toUTCString())
        done()
      })
    const address = await server.listen({ port, host: '127.0.0.1' })
    port = Number(new URL(address).port)
    workspace.url = address
    stopping = new AbortController()
    void runSchedule(workspace, stopping.signal)
    webhooks = runWebhooks(workspace, stopping.signal)
  }
  const stop = async () => {
    stoppedServices.add(start)
    stopping.abort()
    await webhooks
    await workspace.exports.close()
    workspace.queues.expireAll()
    await server?.close()
    server = null
  }
  await start()
  return {
    get baseUrl() {
      return `http://127.0.0.1:${port}/api/v1`
    },
    database: file,
    get workspace() {
      return workspace
    },
    owner: owner.user,
    mails,
    createUser(name, role = 400) {
      const password = 'a-long-enough-password'
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org`
      const user = createUser(workspace, { fullName: name, email, role, password })
      return { email, apiKey: user.api_key, password, userId: user.user_id }
    },
    createChannel(name, userIds) {
      const channel = createChannel(workspace, owner.user, { name, description: '' })
      for (const id of userIds) {
        const user = userById(workspace.db, id)
        if (user !== undefined) addSubscriber(workspace, user, channel)
      }
      return channel.channel_id
    },
    send(from, channelId, topic, content) {
      const sender = userById(workspace.db, from)
      const channel = channelById(workspace.db, channelId)
      if (sender === undefined || channel === undefined) throw new Error('no such sender or channel')
      return sendMessage(workspace, { sender, target: { kind: 'channel', channel, topic }, content })
    },
    stop,
    start,
    async restartAt(level) {
      await stop()
      featureLevel = level
      // On a new port: a client may still hold connections to the previous service.
      port = 0
      await start()
    },
    async close() {
      await stop()
      stoppedServices.delete(start)
      const scans = scansIn(file, statements)
      file.close()
      removeFolder(directory)
      if (scans.length > 0) throw new Error(`Every row of a large table is looked at:\n${scans.join('\n')}`)
    },
  }
}
