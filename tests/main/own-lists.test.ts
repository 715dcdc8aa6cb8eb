import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { channelId, userId } from '../../src-shared/ids.ts'
import { openDevice, type Device } from '../support/device.ts'
import { found, succeeded, type Organization } from '../support/organization.ts'

// A person's alert words, muted people and topics: stored here, changed offline, and sent later.

let org: Organization
let device: Device

const account = () => ({ accountId: device.accountId })
const act = (action: ActionInput) => device.bridge.call('act', { ...account(), action })
const known = async () =>
  succeeded(await org.member.get('/users/me/alert_words')).alert_words as readonly string[]
const empty = () => device.until('outbox', account(), (items) => items.length === 0)

beforeAll(async () => {
  org = await found({})
  const { member } = org
  succeeded(await member.post('/users/me/alert_words', { alert_words: ['storm', 'Ebb'] }))
  succeeded(await member.post(`/users/me/muted_users/${org.moderator.id}`))
  for (const [topic, policy] of [
    ['gulls', 1],
    ['Auks', 3],
    ['✔ boats', 2],
  ] as const)
    succeeded(await member.post('/user_topics', { stream_id: org.plaza, topic, visibility_policy: policy }))
  device = await openDevice(org.service.baseUrl, { email: member.email, apiKey: member.row.api_key })
  await device.until('sync-state', account(), ({ status }) => status === 'synced')
})
afterAll(async () => {
  await device.close()
  await org.service.close()
})

test('what the account has is listed by name', async () => {
  expect(await device.ask('alert-words', account())).toEqual([
    { word: 'Ebb', isWaiting: false },
    { word: 'storm', isWaiting: false },
  ])
  expect(await device.ask('muted-people', account())).toMatchObject([
    { person: { fullName: 'Milo Moderator' }, isWaiting: false },
  ])
  expect(
    (await device.ask('chosen-topics', account())).map(({ label, visibility }) => [label.topic, visibility]),
  ).toEqual([
    ['Auks', 'followed'],
    ['✔ boats', 'unmuted'],
    ['gulls', 'muted'],
  ])
  expect((await device.ask('account-settings', account())).alertWords).toHaveLength(2)
})

test('without the server lists change at once, say what waits, and survive a restart', async () => {
  await org.service.stop()
  await act({ name: 'set-alert-word', word: '  low water ', on: true })
  await act({ name: 'set-alert-word', word: 'EBB', on: false })
  // Already in the list, in another spelling.
  await act({ name: 'set-alert-word', word: 'Storm', on: true })
  // Two opposites cancel, so nothing is sent.
  await act({ name: 'set-alert-word', word: 'passing', on: true })
  await act({ name: 'set-alert-word', word: 'Passing', on: false })
  await act({ name: 'mute-person', userId: userId(org.moderator.id), on: false })
  await act({ name: 'mute-person', userId: userId(org.guest.id), on: true })
  const topic = (name: string, visibility: 'none' | 'muted') =>
    act({ name: 'set-topic-visibility', channelId: channelId(org.plaza), topic: name, visibility })
  await topic('gulls', 'none')
  await topic('terns', 'muted')
  await device.restart()
  expect(await device.ask('alert-words', account())).toEqual([
    { word: 'low water', isWaiting: true },
    { word: 'storm', isWaiting: false },
  ])
  expect(await device.ask('muted-people', account())).toMatchObject([
    { person: { userId: org.guest.id }, isWaiting: true },
  ])
  expect(
    (await device.ask('chosen-topics', account())).map(({ label, isWaiting }) => [label.topic, isWaiting]),
  ).toEqual([
    ['Auks', false],
    ['✔ boats', false],
    ['terns', true],
  ])
  expect((await device.ask('outbox', account())).map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Alert word “low water”', 'Alert word “EBB” removed']),
  )
})

test('the server learns of every change, once it is there', async () => {
  await org.service.start()
  await device.bridge.call('try-now', account())
  await empty()
  expect([...(await known())].sort()).toEqual(['low water', 'storm'])
  const { muted_users, user_topics } = succeeded(
    await org.member.post('/register', {
      event_types: ['muted_users', 'user_topic'],
      fetch_event_types: ['muted_users', 'user_topic'],
    }),
  ) as { muted_users: { id: number }[]; user_topics: { topic_name: string }[] }
  expect(muted_users.map(({ id }) => id)).toEqual([org.guest.id])
  expect(user_topics.map(({ topic_name }) => topic_name).sort()).toEqual(['Auks', 'terns', '✔ boats'])
  // A snapshot taken meanwhile may have the old list; its event follows.
  await device.until(
    'alert-words',
    account(),
    (all) => all.map(({ word }) => word).join() === 'low water,storm',
  )
})

test('a word of another device comes by itself, and what was done twice is no mistake', async () => {
  succeeded(await org.member.post('/users/me/alert_words', { alert_words: ['surge'] }))
  await device.until('alert-words', account(), (all) => all.some(({ word }) => word === 'surge'))
  succeeded(await org.member.delete('/users/me/alert_words', { alert_words: ['storm'] }))
  await act({ name: 'set-alert-word', word: 'storm', on: false })
  await empty()
  await device.until('alert-words', account(), (all) => all.every(({ word }) => word !== 'storm'))
  expect([...(await known())].sort()).toEqual(['low water', 'surge'])
})

test('nothing that is no word gets in', async () => {
  for (const word of ['', '   ', 'a'.repeat(101), '🐦'.repeat(101)])
    await expect(act({ name: 'set-alert-word', word, on: true })).rejects.toThrow()
  await act({ name: 'set-alert-word', word: '🐦'.repeat(100), on: true })
  await empty()
  expect(await known()).toContain('🐦'.repeat(100))
})
