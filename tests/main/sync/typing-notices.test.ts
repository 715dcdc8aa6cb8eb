import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { channelId, messageId, userId } from '../../../src-shared/ids.ts'
import type { Connection } from '../../../src-main/api/connection.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import { putOrganizationValue } from '../../../src-main/store/organization.ts'
import { putAccountSetting } from '../../../src-main/store/account-settings.ts'
import { createTypingNotices, type TypingNotices } from '../../../src-main/sync/typing-notices.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const tides = { kind: 'topic', channelId: channelId(7), topic: 'tides' } as const
const friend = { kind: 'direct', userIds: [userId(2)] } as const
const message = { kind: 'message', messageId: messageId(50) } as const

let directory: string
let store: Store
let clock: ManualClock
let notices: TypingNotices
let isOnline: boolean
/** The requests to the server, in order. */
let told: string[]

beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  store = openStore(join(directory, 'account.db'), () => {})
  store.write((db) => db.run('UPDATE sync SET feature_level = 400'))
  clock = manualClock()
  isOnline = true
  told = []
  const connection: Pick<Connection, 'call'> = {
    call(endpoint, input) {
      const { op, message_id: id } = input as { op: string; message_id?: number }
      told.push(`${op} ${endpoint.path.replace('{message_id}', String(id))}`)
      return Promise.resolve({} as never)
    },
  }
  notices = createTypingNotices({
    store,
    connection: connection as Connection,
    clock,
    ownUserId: userId(1),
    signal: new AbortController().signal,
    isOnline: () => isOnline,
    log: (line) => told.push(line),
  })
})
afterEach(() => store.close())

const setWaits = (started: number, stopped: number) =>
  store.write((db) => {
    putOrganizationValue(db, 'server_typing_started_wait_period_milliseconds', started)
    putOrganizationValue(db, 'server_typing_stopped_wait_period_milliseconds', stopped)
  })
/** Types for some seconds, with one key per second. */
const type = async (seconds: number, place: Parameters<TypingNotices['report']>[0]) => {
  for (let second = 0; second < seconds; second++) {
    await notices.report(place, true)
    await clock.advance(1_000)
  }
}

test.each([
  { kind: 'a message', place: tides, path: '/typing' },
  { kind: 'another text of a message', place: message, path: '/messages/50/typing' },
])('that $kind is written is told as often as the server asks for', async ({ place, path }) => {
  setWaits(10_000, 4_000)
  await type(21, place)
  expect(told).toEqual([`start ${path}`, `start ${path}`, `start ${path}`])
  // The last key was a second ago.
  await clock.advance(2_900)
  expect(told).toHaveLength(3)
  await clock.advance(200)
  expect(told.slice(3)).toEqual([`stop ${path}`])
  await notices.report(place, false)
  expect(told).toHaveLength(4)
})

test('without a word of the server it is every half minute, and over after twelve seconds', async () => {
  await type(31, tides)
  expect(told).toEqual(['start /typing', 'start /typing'])
  await clock.advance(11_100)
  expect(told.slice(2)).toEqual(['stop /typing'])
})

test('a clock that is set back keeps nobody from hearing of it', async () => {
  await notices.report(tides, true)
  clock.set(clock.now() - 60 * 60 * 1_000)
  await notices.report(tides, true)
  expect(told).toEqual(['start /typing', 'start /typing'])
})

test('who sends has stopped, and who writes on begins anew', async () => {
  await notices.report(tides, true)
  await notices.report(tides, false)
  await notices.report(tides, true)
  expect(told).toEqual(['start /typing', 'stop /typing', 'start /typing'])
})

test('nobody hears of it who is not to, and a server that knows no such notices is not asked', async () => {
  const set = (name: string, on: boolean) => store.write((db) => putAccountSetting(db, name, on))
  set('send_private_typing_notifications', false)
  await notices.report(friend, true)
  // A message outside every channel is a direct one.
  await notices.report(message, true)
  expect(told).toEqual([])
  set('send_private_typing_notifications', true)
  set('send_stream_typing_notifications', false)
  await notices.report(tides, true)
  expect(told).toEqual([])
  isOnline = false
  await notices.report(friend, true)
  expect(told).toEqual([])
  isOnline = true
  store.write((db) => db.run('UPDATE sync SET feature_level = 360'))
  await notices.report(message, true)
  expect(told).toEqual([])
  await notices.report(friend, true)
  expect(told).toEqual(['start /typing'])
})
