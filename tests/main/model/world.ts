import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '../../../src-server/people/accounts.ts'
import { createSystemGroups } from '../../../src-server/organization/found-organization.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { addSubscriber } from '../../../src-server/channels/subscriptions.ts'
import { createWorkspace } from '../../../src-server/create-workspace.ts'
import { sendMessage } from '../../../src-server/messages/messages.ts'
import { openDatabase, type Database } from '../../../src-server/database.ts'
import type { KeptQueue } from '../../../src-server/events/event-queues.ts'
import { narrowFilter } from '../../../src-server/events/queue-narrows.ts'
import { channelById, userById, type UserRow, type Workspace } from '../../../src-server/workspace.ts'
import { testConfiguration } from '../../support/configuration.ts'
import { createDevice, type KillableDevice, type ModelDevice } from './device.ts'
import { emptyAccount, emptyDatabase, filesIn, serverOf } from './ready-made.ts'
import { begin, chance, createTime } from './time.ts'
import { makeFolder, removeFolder } from '../../support/temporary-folder.ts'

/** After this many turns of the event loop without activity, nothing more happens by itself. */
const quietTurns = 4
/** After this many turns without a pause, something must be running in circles. */
const mostTurns = 2_000
/** Within this many turns the service answers requests that do not write to a real disk. */
const quickTurns = 300
/** Within this many milliseconds the service has written a file to a real disk, however busy that is. */
const mostWaits = 10_000

/** A service and devices in one process, on one clock that only the test moves. */
export interface World {
  readonly workspace: Workspace
  readonly user: UserRow
  readonly other: UserRow
  readonly channelId: number
  /** A second channel that both are in, if there is one. */
  readonly farChannelId: number | null
  readonly devices: readonly ModelDevice[]
  readonly log: readonly string[]
  /** Runs everything that needs no time. */
  settle(): Promise<void>
  /** Lets time pass. */
  pass(ms: number): Promise<void>
  /** Skips time while everything sleeps, the service too; what became due meanwhile happens afterwards. */
  skip(ms: number): Promise<void>
  /** A fault-free request of the same person from elsewhere; returns the status. */
  ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, form?: string, as?: UserRow): Promise<number>
  close(): Promise<void>
}

/** The service's own feature level. */
export const newestLevel = 420

/** What a world begins with. */
export interface Beginning {
  /** The service's database. */
  readonly content: Buffer
  readonly userId: number
  readonly otherId: number
  readonly channelId: number
  readonly farChannelId: number | null
  /** The devices' accounts, as if their programs had ended properly, each with the queue that it goes on with. */
  readonly devices: readonly { readonly account: Buffer; readonly queue: KeptQueue }[]
}

/** `rateLimit`: how many requests per minute the service accepts from a person; null: no limit. */
export async function createWorld(
  deviceCount: number,
  featureLevel = newestLevel,
  rateLimit: number | null = null,
  hasFarChannel = false,
): Promise<World> {
  const make = (workspace: Workspace) => {
    createSystemGroups(workspace)
    const person = (name: string) =>
      createUser(workspace, {
        fullName: name,
        email: `${name.toLowerCase()}@example.org`,
        role: 400,
        password: null,
      })
    const user = person('Maren')
    const other = person('Keiko')
    const channelOfBoth = (name: string) => {
      const channel = createChannel(workspace, user, { name, description: '' })
      addSubscriber(workspace, user, channel)
      addSubscriber(workspace, other, channel)
      return channel.channel_id
    }
    const channelId = channelOfBoth('gauges')
    return { user, other, channelId, farChannelId: hasFarChannel ? channelOfBoth('lamps') : null }
  }
  const accounts = Array.from({ length: deviceCount }, emptyAccount)
  return startWorld({ database: emptyDatabase(), featureLevel, rateLimit, make, accounts })
}

/** A world that goes on from a beginning, with the first `deviceCount` of its devices. */
export function continueWorld(
  beginning: Beginning,
  deviceCount: number,
  featureLevel: number,
): Promise<World> {
  const { content, userId, otherId, channelId, farChannelId } = beginning
  const devices = beginning.devices.slice(0, deviceCount)
  const make = (workspace: Workspace) => {
    const person = (id: number) => {
      const found = userById(workspace.db, id)
      if (found === undefined) throw new Error('There is no such person.')
      return found
    }
    for (const { queue } of devices) workspace.queues.restore(queue, narrowFilter(workspace.db, queue.narrow))
    return { user: person(userId), other: person(otherId), channelId, farChannelId }
  }
  const accounts = devices.map(({ account }) => account)
  return startWorld({ database: openDatabase(content), featureLevel, rateLimit: null, make, accounts })
}

/** The parts of a world that is started. */
interface WorldParts {
  readonly database: Database
  readonly featureLevel: number
  readonly rateLimit: number | null
  /** Makes or finds who and what is there. */
  readonly make: (workspace: Workspace) => Pick<World, 'user' | 'other' | 'channelId' | 'farChannelId'>
  /** The devices' files. */
  readonly accounts: readonly Buffer[]
}

async function startWorld({ database, featureLevel, rateLimit, make, accounts }: WorldParts): Promise<World> {
  const directory = makeFolder(filesIn)
  const time = createTime()
  const log: string[] = []
  /** Requests that the service has not answered; when it is idle, all of these wait for events. */
  const work = { count: 0 }
  const workspace = createWorkspace({
    database,
    clock: {
      now: () => begin + time.elapsed,
      wait: (ms, signal) => time.wait(ms, signal),
      random: chance(1),
    },
    rateLimit,
    featureLevel,
    configuration: testConfiguration(directory),
    log: (line) => log.push(`service: ${line}`),
  })
  const { user, other, channelId, farChannelId } = make(workspace)
  const { server, giveBack } = await serverOf(workspace)

  const devices: KillableDevice[] = []
  const settle = async () => {
    for (let quiet = 0, turns = 0, waits = 0; quiet < quietTurns;) {
      if (turns > mostTurns || waits > mostWaits) throw new Error('The devices do not come to rest.')
      const before = time.signs
      await turn()
      for (const device of devices) device.reopenIfDead()
      const isIdle = work.count === workspace.queues.waiting
      const isQuiet = time.signs === before
      quiet = isQuiet && isIdle ? quiet + 1 : 0
      if (!isQuiet || isIdle) turns++
      else if (++waits > quickTurns) await sleep(1)
    }
  }
  const shared = { directory, time, server, work, workspace, user, log }
  for (const [index, account] of accounts.entries()) devices.push(createDevice(shared, index, account))
  await settle()
  const world: World = {
    workspace,
    user,
    other,
    channelId,
    farChannelId,
    devices,
    log,
    settle,
    async pass(ms) {
      const target = time.elapsed + ms
      await settle()
      for (let steps = 0; time.step(target); steps++) {
        if (steps > mostTurns) throw new Error('The devices do not come to rest.')
        await settle()
      }
      await settle()
    },
    async skip(ms) {
      time.skip(ms)
      await world.pass(0)
    },
    async ask(method, path, form = '', as = user) {
      work.count++
      const response = await server.inject({
        method,
        url: `/api/v1${path}`,
        headers: { ...authorization(as), 'content-type': 'application/x-www-form-urlencoded' },
        payload: form,
      })
      work.count--
      await settle()
      return response.statusCode
    },
    async close() {
      for (const device of devices) device.end()
      workspace.queues.expireAll()
      for (let turns = 0; turns < 3; turns++) await turn()
      await giveBack()
      database.close()
      removeFolder(directory)
    },
  }
  return world
}

/** A device of the world, by default the first. */
export function deviceOf({ devices }: World, index = 0): ModelDevice {
  const device = devices[index]
  if (device === undefined) throw new Error('There is no such device.')
  return device
}

/** Somebody else sends that many messages to a topic: "drift 0", "drift 1" and so on. */
export function sendMany({ workspace, other }: World, count: number, channelId: number, topic: string): void {
  const channel = channelById(workspace.db, channelId)
  if (channel === undefined) throw new Error('There is no such channel.')
  for (let number = 0; number < count; number++)
    sendMessage(workspace, {
      sender: other,
      target: { kind: 'channel', channel, topic },
      content: `${topic} ${number}`,
    })
}

const authorization = (user: UserRow) => ({
  authorization: `Basic ${Buffer.from(`${user.email}:${user.api_key}`).toString('base64')}`,
})
