import { systemClock } from '../../src-shared/clock/clock.ts'
import { dayMs } from '../../src-shared/durations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageId } from '../../src-shared/ids.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let device: Device
let gauges: number
/** The beginning of the day before yesterday, in this device's time zone. */
const twoDaysAgo = new Date(Date.now() - 2 * dayMs).setHours(0, 0, 0, 0)
/** The service's clock; messages older than the device keeps are sent first. */
let serviceNow = Date.now() - 200 * dayMs

beforeAll(async () => {
  service = await startService({
    clock: { ...systemClock, now: () => serviceNow },
  })
  const maren = service.createUser('Maren Aske')
  const keiko = service.createUser('Keiko Tamura')
  const keikos = service.createUser('Keiko Mori')
  gauges = service.createChannel('gauges', [maren.userId, keiko.userId, keikos.userId])
  const maps = service.createChannel('maps', [maren.userId, keiko.userId])
  const tell = (path: string, fields: Record<string, string>) =>
    fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${maren.email}:${maren.apiKey}`)}` },
      body: new URLSearchParams(fields),
    })
  await tell('/users/me/alert_words', { alert_words: '["is back"]' })
  service.send(keiko.userId, gauges, 'first deployment', 'A constant offset on gauge three')
  service.send(keikos.userId, gauges, 'first deployment', 'No offset, only `M8` bolts')
  // More than one page of history, so that the older messages are not fetched in the background, nor as unread.
  await tell('/mark_topic_as_read', { stream_id: String(gauges), topic_name: 'first deployment' })
  serviceNow = Date.now() - 100 * dayMs
  for (let n = 0; n < 260; n++) service.send(keiko.userId, maps, 'contours', `sheet ${n}`)
  serviceNow = twoDaysAgo
  service.send(keiko.userId, gauges, 'drift', 'The offset is back, see https://example.org/log')
  service.send(maren.userId, gauges, 'drift', 'Agreed, offset of six hours')
  service.send(keiko.userId, maps, 'drift', 'An offset of `one` sheet')
  serviceNow = Date.now()
  service.send(keikos.userId, gauges, '✔ calibration', 'Largest offset today')
  device = await openDevice(service.baseUrl, maren)
  await device.until('search', ask('offset'), ({ total }) => total === 4)
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
})

afterAll(async () => {
  await device.close()
  await service.close()
})

const ask = (text: string) => ({ accountId: device.accountId, text, limit: 50 })
async function found(text: string): Promise<string[]> {
  const { results } = await device.ask('search', ask(text))
  return results.map(({ excerpt }) => excerpt.split(' ').slice(0, 2).join(' '))
}

test.each([
  ['channel:gauges offset', ['Largest offset', 'Agreed, offset', 'The offset']],
  ['-channel:gauges offset', ['An offset']],
  ['channel:gauges topic:drift', ['Agreed, offset', 'The offset']],
  ['topic:drift offset', ['An offset', 'Agreed, offset', 'The offset']],
  ['-topic:drift offset', ['Largest offset']],
  ['sender:me', ['Agreed, offset']],
  ['sender:"Keiko Mori"', ['Largest offset']],
  // Nobody has exactly this name, so everybody whose name begins with it is meant.
  ['sender:keiko -channel:maps', ['Largest offset', 'The offset']],
  ['-sender:keiko offset', ['Agreed, offset']],
  ['has:link', ['The offset']],
  ['has:code', ['An offset']],
  ['offset -has:code -has:link', ['Largest offset', 'Agreed, offset']],
  ['is:resolved', ['Largest offset']],
  ['is:alerted', ['The offset']],
  ['is:alerted offset', ['The offset']],
  ['-is:alerted topic:drift offset', ['An offset', 'Agreed, offset']],
  ['"offset of six"', ['Agreed, offset']],
  // A single letter is a prefix like any other.
  ['o', ['Largest offset', 'An offset', 'Agreed, offset', 'The offset']],
  ['L', ['Largest offset', 'The offset']],
  ['offset h', ['Agreed, offset', 'The offset']],
  ['offs', ['Largest offset', 'An offset', 'Agreed, offset', 'The offset']],
])('%s', async (text, wanted) => {
  expect(await found(text)).toEqual(wanted)
})

const day = (at: number) => {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

test('a character that ends a text elsewhere is a blank in a quoted one', async () => {
  expect(await found('"The\0offset"')).toEqual(['The offset'])
})

test('days bound a search on both sides', async () => {
  const today = day(Date.now())
  expect(await found(`offset after:${today}`)).toEqual(['Largest offset'])
  expect(await found(`offset before:${today}`)).toHaveLength(3)
  // A day includes its first moment.
  expect(await found(`offset after:${day(twoDaysAgo)}`)).toHaveLength(4)
  expect(await found(`offset before:${day(twoDaysAgo)}`)).toEqual([])
})

test.each([
  ['channel:nowhere', 'No channel matches “nowhere”.'],
  ['sender:"Nobody Known"', 'No match for “Nobody Known”.'],
  ['is:purple', /^“is:purple” isn’t a condition\. Try starred, /],
  ['before:soon', '“soon” isn’t a date. Example: 2026-11-21'],
])('%s is answered in words', async (text, wanted) => {
  const { problem, total } = await device.ask('search', ask(text))
  expect(total).toBe(0)
  expect(problem).toEqual(typeof wanted === 'string' ? wanted : expect.stringMatching(wanted))
})

test('the facets count what another choice of the same kind would find', async () => {
  const facets = await device.ask('search-facets', {
    accountId: device.accountId,
    text: 'channel:gauges sender:me offset',
  })
  expect(facets.senders.map(({ person, count }) => [person.fullName, count])).toEqual([
    ['Keiko Mori', 1],
    ['Maren Aske', 1],
    ['Keiko Tamura', 1],
  ])
  expect(facets.channels).toMatchObject([{ operand: 'gauges', count: 1 }])
  expect(facets.topics).toEqual([{ operand: 'drift', chosenAs: null, count: 1 }])
  expect(facets.has).toEqual([])
  expect(facets.pastMonth).toBe(1)
})

test('a choice that is all that is searched for counts what it finds', async () => {
  const facets = await device.ask('search-facets', { accountId: device.accountId, text: 'sender:me' })
  const total = (await device.ask('search', ask('sender:me'))).total
  expect(total).toBeGreaterThan(0)
  expect(facets.senders.map(({ person, count }) => [person.fullName, count])).toEqual([['Maren Aske', total]])
})

test('a chosen facet stays among the facets when it finds nothing', async () => {
  const facets = await device.ask('search-facets', {
    accountId: device.accountId,
    text: 'sender:"Keiko Mori" channel:maps topic:drift "offset of six"',
  })
  expect(facets.senders.map(({ person, count }) => [person.fullName, count])).toEqual([['Keiko Mori', 0]])
  expect(facets.channels).toMatchObject([{ operand: 'maps', count: 0 }])
  expect(facets.topics).toEqual([{ operand: 'drift', chosenAs: 'drift', count: 0 }])
})

test('a facet is chosen in whatever form its condition is typed', async () => {
  const chosen = async (text: string) => {
    const facets = await device.ask('search-facets', { accountId: device.accountId, text })
    return [...facets.senders, ...facets.channels, ...facets.topics].flatMap(({ operand, chosenAs }) =>
      chosenAs === null ? [] : [[operand, chosenAs]],
    )
  }
  expect(await chosen('sender:me channel:#GAUGES topic:DRIFT offset')).toEqual([
    ['Maren Aske', 'me'],
    ['gauges', '#GAUGES'],
    ['drift', 'DRIFT'],
  ])
  // Whose names begin so.
  const keikos = await chosen('sender:keiko offset')
  expect(keikos.toSorted()).toEqual([
    ['Keiko Mori', 'keiko'],
    ['Keiko Tamura', 'keiko'],
  ])
  expect(await chosen('-sender:keiko sender:nobody offset')).toEqual([])
})

const server = (text: string, before: number | null = null) =>
  device.bridge.call('search-server', {
    accountId: device.accountId,
    text,
    before: before === null ? null : messageId(before),
  })

test('the server adds what this device does not have, and nothing of it is kept', async () => {
  const here = await device.ask('search', ask('offset'))
  const { results } = await server('offset')
  expect(results.map(({ excerpt }) => excerpt)).toEqual([
    'No offset, only M8 bolts',
    'A constant offset on gauge three',
  ])
  expect(results[0]).toMatchObject({
    senderName: 'Keiko Mori',
    label: { kind: 'topic', channelName: 'gauges', topic: 'first deployment' },
    matches: [[3, 9]],
  })
  expect((await device.ask('search', ask('offset'))).messagesOnDevice).toBe(here.messagesOnDevice)
})

test('conditions that servers lack are judged here', async () => {
  const excerpts = async (text: string) => (await server(text)).results.map(({ excerpt }) => excerpt)
  expect(await excerpts('offset has:code')).toEqual(['No offset, only M8 bolts'])
  expect(await excerpts('sender:keiko topic:"first deployment"')).toHaveLength(2)
  expect(await excerpts(`offset after:${day(Date.now() - 10 * dayMs)}`)).toEqual([])
  expect(await excerpts(`offset before:${day(Date.now() - 150 * dayMs)}`)).toHaveLength(2)
})

test('a page that holds nothing new says where the next one begins', async () => {
  const first = await server('channel:maps')
  expect(first.results).toEqual([])
  expect(first.next).not.toBeNull()
  const ids: number[] = []
  for (let next = first.next; next !== null;) {
    const page = await server('channel:maps', next)
    ids.push(...page.results.map((result) => result.messageId))
    next = page.next
  }
  // All messages that the device lacks, each once.
  const { accountId } = device
  const { channels } = await device.ask('search-facets', { accountId, text: 'channel:maps sheet' })
  expect(ids.length + (channels[0]?.count ?? 0)).toBe(261)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a search that nobody understands does not reach the server', async () => {
  await expect(server('channel:nowhere')).rejects.toThrow('No channel matches “nowhere”.')
})

test('the topic without a name is searched, counted and found on the server like others', async () => {
  service.send(service.owner.user_id, gauges, '', 'Nameless words')
  await device.until('search', ask('nameless'), ({ total }) => total === 1)
  expect(await found('channel:gauges topic:""')).toEqual(['Nameless words'])
  expect(await found('nameless topic:""')).toEqual(['Nameless words'])
  expect(await found('nameless -topic:""')).toEqual([])
  const text = 'channel:gauges topic:"" nameless'
  const { topics } = await device.ask('search-facets', { accountId: device.accountId, text })
  expect(topics).toEqual([{ operand: '', chosenAs: '', count: 1 }])
})
