import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, userId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

// Which people are listed beside the open place, and in which order.

let service: TestService
let device: Device
let gauges: number
const ids = { maren: 0, keiko: 0, amaru: 0, priya: 0, gaute: 0 }

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  const [keiko, amaru, priya, gaute] = ['Keiko Tamura', 'Amaru Quispe', 'Priya Nair', 'Gaute Øyen'].map(
    (name) => service.createUser(name),
  )
  if (keiko === undefined || amaru === undefined || priya === undefined || gaute === undefined) return
  Object.assign(ids, {
    maren: maren.userId,
    keiko: keiko.userId,
    amaru: amaru.userId,
    priya: priya.userId,
    gaute: gaute.userId,
  })
  const ask = (path: string, who: typeof maren, form: Record<string, string>) =>
    fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${who.email}:${who.apiKey}`)}` },
      body: new URLSearchParams(form),
    })
  await ask('/bots', maren, { full_name: 'Tide bot', short_name: 'tide' })
  await ask('/users/me/presence', priya, { status: 'active' })
  gauges = service.createChannel('tide-gauges', [maren.userId, keiko.userId, amaru.userId, priya.userId])
  service.send(keiko.userId, gauges, 'drift', 'It drifts.')
  service.send(maren.userId, gauges, 'drift', 'Again?')
  service.send(amaru.userId, gauges, 'rota', 'Mine is Friday.')
  device = await openDevice(service.baseUrl, maren)
  await device.bridge.call('report-focus', { focus: null, isActive: true })
})

afterAll(async () => {
  await device?.close()
  await service?.close()
})

const listed = async (narrow: Narrow | null, text: string, names: readonly string[]) => {
  let last: readonly string[] = []
  await device
    .until('people', { accountId: device.accountId, narrow, text }, (groups) => {
      last = groups.flatMap(({ where, people }) => people.map(({ fullName }) => `${where} ${fullName}`))
      return last.join() === names.join()
    })
    .catch(() => {})
  expect(last).toEqual(names)
}

test('beside a topic stand those who write in it, the others of its channel, and who is here first', async () => {
  const topic = { kind: 'topic', channelId: channelId(gauges), topic: 'Drift' } as const
  const here = ['topic Maren Aske', 'topic Keiko Tamura', 'channel Priya Nair', 'channel Amaru Quispe']
  await listed(topic, '', here)
  await listed({ kind: 'channel', channelId: channelId(gauges) }, '', [
    'channel Maren Aske',
    'channel Priya Nair',
    'channel Amaru Quispe',
    'channel Keiko Tamura',
  ])
  // A name finds people elsewhere too, ignoring case and accents; SQL wildcards are plain characters.
  await listed(topic, 'OYEN', ['everyone Gaute Øyen'])
  await listed(topic, '%', [])
  await listed(topic, 'tide', ['bots Tide bot'])
})

test('the people one writes with most are known, without bots, groups, muted people and oneself', async () => {
  const { accountId } = device
  const send = (userIds: readonly number[], content: string) =>
    device.bridge.call('act', {
      accountId,
      action: {
        name: 'send-message',
        conversation: { kind: 'direct', userIds: userIds.map(userId) },
        content,
        draftId: null,
      },
    })
  const names = async (wanted: readonly (readonly [string, number])[], limit = 5) => {
    const isWanted = (found: readonly { fullName: string; messageCount: number }[]) =>
      JSON.stringify(found.map(({ fullName, messageCount }) => [fullName, messageCount])) ===
      JSON.stringify(wanted)
    await device.until('frequent-people', { accountId, limit }, isWanted)
  }
  await names([])
  for (const content of ['Tide?', 'Noon.', 'Good.']) await send([ids.keiko], content)
  await send([ids.gaute], 'Boat?')
  for (const content of ['All of you', 'Really all']) await send([ids.keiko, ids.gaute, ids.priya], content)
  await send([], 'Buy rope')
  await names([
    ['Keiko Tamura', 3],
    ['Gaute Øyen', 1],
  ])
  await names([['Keiko Tamura', 3]], 1)
  const mute = (on: boolean) =>
    device.bridge.call('act', {
      accountId,
      action: { name: 'mute-person', userId: userId(ids.keiko), on },
    })
  await mute(true)
  await names([['Gaute Øyen', 1]])
  await mute(false)
  await names([
    ['Keiko Tamura', 3],
    ['Gaute Øyen', 1],
  ])
})

test('beside a direct conversation stand its people, and everybody beside what is of nobody in particular', async () => {
  await listed({ kind: 'direct', userIds: [userId(ids.gaute)] }, '', [
    'direct Maren Aske',
    'direct Gaute Øyen',
    'everyone Priya Nair',
    'everyone Amaru Quispe',
    'everyone Keiko Tamura',
    'everyone Owner',
    'bots Tide bot',
  ])
  await device.until(
    'people',
    { accountId: device.accountId, narrow: { kind: 'combined' }, text: '' },
    (groups) => {
      const [everyone, bots] = groups
      return (
        everyone?.where === 'everyone' &&
        everyone.people[1]?.fullName === 'Priya Nair' &&
        everyone.total === everyone.people.length &&
        bots?.where === 'bots'
      )
    },
  )
  const others = (userIds: number[]) =>
    device.until('direct-people', { accountId: device.accountId, userIds: userIds.map(userId) }, () => true)
  expect((await others([ids.priya, ids.maren, ids.amaru])).map(({ fullName }) => fullName)).toEqual([
    'Amaru Quispe',
    'Priya Nair',
  ])
  expect((await others([ids.maren])).map(({ fullName }) => fullName)).toEqual(['Maren Aske'])
})
