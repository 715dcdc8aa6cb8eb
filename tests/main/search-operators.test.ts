import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userId } from '../../src-shared/ids.ts'
import { oneOfEach } from '../support/one-of-each.ts'
import { succeeded } from '../support/organization.ts'
import { deviceInOrganization } from '../support/organization-device.ts'

// Every search operator: what this device finds locally, what it asks the service for, and what the service finds with
// that request.

let made: Record<string, number> = {}
const on = deviceInOrganization('member', async (org) => {
  made = await oneOfEach(org)
})

const asked: object[][] = []
const onRequest = (message: unknown) => {
  const { request } = message as { request: IncomingMessage }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.endsWith('/messages') && searchParams.has('narrow'))
    asked.push(JSON.parse(searchParams.get('narrow') ?? '[]'))
}
beforeAll(async () => {
  await on.device.until(
    'search',
    { ...on.account(), text: 'in:all', limit: 1 },
    ({ total }) => total === Object.keys(made).length,
  )
  subscribe('http.server.request.start', onRequest)
})
afterAll(() => void unsubscribe('http.server.request.start', onRequest))

const nameOf = (id: number) => Object.keys(made).find((name) => made[name] === id) ?? `number ${id}`
const here = async (text: string): Promise<string[]> => {
  const { results, problem } = await on.device.ask('search', { ...on.account(), text, limit: 200 })
  expect(problem).toBeNull()
  return results.map(({ messageId }) => nameOf(messageId))
}
const there = async (narrow: readonly object[]): Promise<string[]> => {
  const page = { anchor: 'newest', num_before: 200, num_after: 0, narrow }
  return succeeded(await on.org.member.get('/messages', page))
    .messages.map(({ id }: { id: number }) => nameOf(id))
    .reverse()
}
const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated })
const numbered = (text: string): string => text.replace(/<(\w+)>/, (_, name: string) => String(made[name]))

const table: readonly (readonly [text: string, narrow: () => readonly object[], found: readonly string[]])[] =
  [
    [
      'channel:plaza',
      () => [term('channel', on.org.plaza)],
      ['picture', 'silent', 'named', 'done', 'empty', 'plain'],
    ],
    ['stream:cellar', () => [term('channel', on.org.cellar)], ['secret']],
    [
      'channels:public',
      () => [term('channels', 'public')],
      ['picture', 'quay', 'wanted', 'hall', 'silent', 'named', 'done', 'empty', 'plain'],
    ],
    ['-channels:public', () => [term('channels', 'public', true)], ['three', 'pair', 'note', 'secret']],
    ['streams:web-public', () => [term('channels', 'web-public')], ['quay']],
    ['topic:"general chat"', () => [term('topic', '')], ['empty']],
    ['topic:tides', () => [term('topic', 'tides')], ['quay', 'hall', 'plain']],
    ['subject:tides channel:lobby', () => [term('topic', 'tides'), term('channel', on.org.lobby)], ['hall']],
    ['from:me', () => [term('sender', on.org.member.id)], ['note', 'picture']],
    ['sender:"Owner"', () => [term('sender', on.org.owner.id)], ['quay', 'secret']],
    ['dm:"Otto Other"', () => [term('dm', [on.org.other.id])], ['pair']],
    ['pm-with:"Otto Other,Ada Admin"', () => [term('dm', [on.org.admin.id, on.org.other.id])], ['three']],
    ['dm:"Otto Other,"', () => [term('dm', [on.org.other.id])], ['pair']],
    ['dm:me', () => [term('dm', [on.org.member.id])], ['note']],
    [
      '-dm:"Otto Other" is:dm',
      () => [term('dm', [on.org.other.id], true), term('is', 'dm')],
      ['three', 'note'],
    ],
    ['dm-including:"Otto Other"', () => [term('dm-including', on.org.other.id)], ['three', 'pair']],
    ['dm-with:"Ada Admin"', () => [term('dm-including', on.org.admin.id)], ['three']],
    [
      '-dm-including:"Ada Admin" is:dm',
      () => [term('dm-including', on.org.admin.id, true), term('is', 'dm')],
      ['pair', 'note'],
    ],
    ['dm-including:me', () => [term('dm-including', on.org.member.id)], ['three', 'pair', 'note']],
    ['group-pm-with:"Otto Other"', () => [term('group-pm-with', on.org.other.id)], ['three']],
    ['group-pm-with:me', () => [term('group-pm-with', on.org.member.id)], ['three']],
    [
      '-group-pm-with:"Otto Other" is:private',
      () => [term('group-pm-with', on.org.other.id, true), term('is', 'dm')],
      ['pair', 'note'],
    ],
    ['is:starred', () => [term('is', 'starred')], ['three', 'done']],
    ['is:alerted', () => [term('is', 'alerted')], ['empty']],
    ['is:mentioned', () => [term('is', 'mentioned')], ['named']],
    ['is:unread channel:lobby', () => [term('is', 'unread'), term('channel', on.org.lobby)], ['wanted']],
    ['is:resolved', () => [term('is', 'resolved')], ['done']],
    ['is:followed', () => [term('is', 'followed')], ['picture', 'plain']],
    ['is:muted', () => [term('is', 'muted')], ['hall', 'silent', 'named']],
    [
      '-is:muted',
      () => [term('is', 'muted', true)],
      ['three', 'pair', 'note', 'picture', 'quay', 'wanted', 'secret', 'done', 'empty', 'plain'],
    ],
    [
      'in:home',
      () => [term('in', 'home')],
      ['three', 'pair', 'note', 'picture', 'quay', 'wanted', 'secret', 'done', 'empty', 'plain'],
    ],
    ['-in:home', () => [term('in', 'home', true)], ['hall', 'silent', 'named']],
    ['in:all channel:lobby', () => [term('in', 'all'), term('channel', on.org.lobby)], ['wanted', 'hall']],
    [
      '-in:all channel:lobby',
      () => [term('in', 'all', true), term('channel', on.org.lobby)],
      ['wanted', 'hall'],
    ],
    ['has:link', () => [term('has', 'link')], ['picture', 'secret']],
    ['has:image', () => [term('has', 'image')], ['picture']],
    [
      '-has:attachment channel:plaza',
      () => [term('has', 'attachment', true), term('channel', on.org.plaza)],
      ['silent', 'named', 'done', 'empty', 'plain'],
    ],
    ['has:reaction', () => [term('has', 'reaction')], ['picture']],
    ['id:<secret>', () => [term('id', String(made['secret']))], ['secret']],
    [
      '-id:<hall> channel:lobby',
      () => [term('id', String(made['hall']), true), term('channel', on.org.lobby)],
      ['wanted'],
    ],
    // The message's place replaces the one in the search.
    ['with:<hall> channel:plaza', () => [term('channel', on.org.lobby), term('topic', 'Tides')], ['hall']],
    ['with:<hall> is:dm', () => [term('channel', on.org.lobby), term('topic', 'Tides')], ['hall']],
    ['with:<three>', () => [term('dm', [on.org.admin.id, on.org.other.id])], ['three']],
    ['-with:<hall> channel:lobby', () => [term('channel', on.org.lobby)], ['wanted', 'hall']],
    // The message does not exist: the place in the search stays.
    [
      'with:999999 channel:lobby topic:lamps',
      () => [term('channel', on.org.lobby), term('topic', 'lamps'), { operator: 'with', operand: 999_999 }],
      ['wanted'],
    ],
    ['near:<named> channel:lobby', () => [term('channel', on.org.lobby)], ['wanted', 'hall']],
  ]

test.each(table)('%s', async (text, narrow, found) => {
  expect(await here(numbered(text))).toEqual(found)
  asked.length = 0
  await on.device.bridge.call('search-server', { ...on.account(), text: numbered(text), before: null })
  expect(asked).toContainEqual(narrow())
  expect(await there(narrow())).toEqual(found)
})

test('who is mentioned is judged here where the service cannot be asked', async () => {
  expect(await here('mentions:me')).toEqual(['named'])
  expect(await here('mentions:"Otto Other"')).toEqual(['wanted'])
  expect(await here('-mentions:me channel:plaza')).toEqual(['picture', 'silent', 'done', 'empty', 'plain'])
  asked.length = 0
  await on.device.bridge.call('search-server', { ...on.account(), text: 'mentions:me lamp', before: null })
  expect(asked).toContainEqual([{ operator: 'search', operand: 'lamp' }])
})

test('who is mentioned is not taken for somebody whose number begins theirs', async () => {
  const { owner, other, plaza } = on.org
  let longer = on.org.join('Newcomer 0')
  for (let n = 1; !String(longer.id).startsWith(`${owner.id}`); n++) longer = on.org.join(`Newcomer ${n}`)
  made['newcomer'] = await other.send(plaza, 'Calls', `welcome, @**${longer.name}**`)
  await on.device.until(
    'search',
    { ...on.account(), text: `id:${made['newcomer']}`, limit: 1 },
    ({ total }) => total === 1,
  )
  expect(await here('mentions:Owner')).toEqual([])
})

test('near a message there are those on both sides of it', async () => {
  const { results, total } = await on.device.ask('search', {
    ...on.account(),
    text: numbered('near:<named>'),
    limit: 4,
  })
  expect(results.map(({ messageId }) => nameOf(messageId))).toEqual(['secret', 'silent', 'named', 'done'])
  expect(total).toBe(Object.keys(made).length)
  const words = await on.device.ask('search', {
    ...on.account(),
    text: numbered('near:<hall> a'),
    limit: 2,
  })
  expect(words.results.map(({ messageId }) => nameOf(messageId))).toEqual(['note', 'hall'])
})

test.each([
  ['with:1 with:2', 'A message is in one conversation, so with: can be used only once.'],
  ['id:soon', '“soon” isn’t a message number. Links to messages end with one.'],
  ['near:4294967296', '“4294967296” isn’t a message number. Links to messages end with one.'],
  ['in:plaza', '“in:plaza” isn’t a condition. Try home, all.'],
  ['channels:some', '“channels:some” isn’t a condition. Try public, web-public.'],
  ['mentions:nobody-here', 'No match for “nobody-here”.'],
])('%s is answered in words', async (text, wanted) => {
  const { problem, total } = await on.device.ask('search', { ...on.account(), text, limit: 10 })
  expect([problem, total]).toEqual([wanted, 0])
})

test('of two people with one name, a search means the one who is named by the id', async () => {
  const { org, device } = on
  const { moderator: twin } = org
  succeeded(await org.owner.patch(`/users/${twin.id}`, { full_name: 'OTTO other' }))
  made['of the twin'] = await twin.send([org.member], '', 'from the twin')
  made['of the other'] = await org.other.send([org.member], '', 'from the other')
  const people = { ...on.account(), userIds: [userId(org.other.id)] }
  const [person] = await device.until('direct-people', people, ([one]) => one?.searchName !== 'Otto Other')
  expect(person).toMatchObject({ fullName: 'Otto Other', searchName: String(org.other.id) })
  await expect.poll(() => here(`dm:${twin.id}`)).toEqual(['of the twin'])
  await expect.poll(() => here(`dm:${org.other.id}`)).toContain('of the other')
  expect(await here(`dm:${org.other.id}`)).not.toContain('of the twin')
  const facets = await device.ask('search-facets', { ...on.account(), text: `sender:${twin.id} from` })
  const senders = facets.senders.map(({ person: { userId: id }, operand }) => [id, operand])
  expect(senders).toContainEqual([twin.id, String(twin.id)])
  expect(senders).toContainEqual([org.other.id, String(org.other.id)])
})
