import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ParamsOf } from '../../src-shared/bridge/queries.ts'
import type { JumpTarget } from '../../src-shared/model/search-results.ts'
import { channelId } from '../../src-shared/ids.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let device: Device

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  const keiko = service.createUser('Keiko Tamura')
  service.createUser('Gaute Øyen')
  const gauges = service.createChannel('tide-gauges', [maren.userId, keiko.userId])
  const maps = service.createChannel('maps', [maren.userId, keiko.userId])
  service.send(keiko.userId, gauges, '✔ gauge 2 housing', 'old')
  service.send(keiko.userId, gauges, 'gauge 4 drift', '@**Maren Aske** one')
  service.send(keiko.userId, maps, 'contours of the gauges', 'two')
  service.send(maren.userId, maps, 'own map', 'three')
  await fetch(`${service.baseUrl}/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${keiko.email}:${keiko.apiKey}`)}` },
    body: new URLSearchParams({ type: 'direct', to: `[${maren.userId}]`, content: 'four' }),
  })
  device = await openDevice(service.baseUrl, maren)
  await device.until('recent-conversations', recent(), ({ rows }) => rows.length === 5)
  await device.bridge.call('act', {
    accountId: device.accountId,
    action: {
      name: 'set-topic-visibility',
      channelId: channelId(maps),
      topic: 'contours of the gauges',
      visibility: 'muted',
    },
  })
})

afterAll(async () => {
  await device.close()
  await service.close()
})

const recent = (): ParamsOf<'recent-conversations'> => ({
  accountId: device.accountId,
  filter: { withDirects: true, withMuted: true, onlyUnread: false, onlyOwn: false, text: '' },
  order: 'newest',
  limit: 50,
})
const nameOf = (target: JumpTarget): string => {
  if (target.kind === 'conversation')
    return target.label.kind === 'topic' ? target.label.topic : target.label.names.join()
  if (target.kind === 'channel') return `#${target.channel.name}`
  return target.kind === 'person' ? `@${target.person.fullName}` : `@${target.name}`
}
const names = async (text: string, others: Partial<ParamsOf<'jump-targets'>> = {}) =>
  (
    await device.ask('jump-targets', {
      accountId: device.accountId,
      text,
      of: 'everything',
      often: [],
      limit: 10,
      ...others,
    })
  ).map(nameOf)

test('without text the recent conversations come, unread ones first, muted ones last', async () => {
  // Somebody wants the person in the first two, a direct message as much as a mention.
  expect(await names('')).toEqual([
    'Keiko Tamura',
    'gauge 4 drift',
    '✔ gauge 2 housing',
    'own map',
    'contours of the gauges',
  ])
})

test('what fits best comes first, resolved and muted topics later, people after places', async () => {
  const found = await names('gau')
  expect(found[0]).toBe('gauge 4 drift')
  expect(found.indexOf('#tide-gauges')).toBeLessThan(found.indexOf('contours of the gauges'))
  expect(found.indexOf('✔ gauge 2 housing')).toBeLessThan(found.indexOf('contours of the gauges'))
  expect(found.at(-1)).toBe('@Gaute Øyen')
  expect(await names('drift tide')).toEqual(['gauge 4 drift'])
  expect(await names('tgau')).toContain('#tide-gauges')
  expect(await names('oyen')).toEqual(['@Gaute Øyen'])
  expect(await names('100%_')).toEqual([])
})

test('what was chosen often comes before what fits a little better', async () => {
  const [, second = ''] = await names('gau')
  const targets = await device.ask('jump-targets', {
    accountId: device.accountId,
    text: 'gau',
    of: 'everything',
    often: [],
    limit: 10,
  })
  const wanted = targets.find((target) => nameOf(target) === second)
  const key =
    wanted?.kind === 'channel'
      ? `channel:${wanted.channel.channelId}`
      : wanted?.kind === 'conversation' && wanted.conversation.kind === 'topic'
        ? `topic:${wanted.conversation.channelId}:${wanted.conversation.topic}`
        : ''
  expect((await names('gau', { often: [key] }))[0]).toBe(second)
})

test('channels alone, people alone, and never more than was wished', async () => {
  expect(await names('', { of: 'channels' })).toEqual(expect.arrayContaining(['#maps', '#tide-gauges']))
  expect(await names('gau', { of: 'channels' })).toEqual(['#tide-gauges'])
  expect((await names('', { of: 'people' })).every((name) => name.startsWith('@'))).toBe(true)
  expect(await names('a', { limit: 1 })).toHaveLength(2)
  const [channel] = await device.ask('jump-targets', {
    accountId: device.accountId,
    text: 'tide',
    of: 'channels',
    often: [],
    limit: 5,
  })
  expect(channel).toMatchObject({ kind: 'channel', subscriberCount: 2, topicCount: 2 })
})
