import type { Action } from '../../src-shared/bridge/actions.ts'
import { channelId, messageId } from '../../src-shared/ids.ts'
import type { DeviceSettings, SettingValues } from '../../src-shared/bridge/settings.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectBridge } from '../../src-shared/bridge/connect.ts'
import type { Port } from '../../src-shared/bridge/port.ts'
import { serveBridge } from '../../src-shared/bridge/serve.ts'
import { dayMs } from '../../src-shared/durations.ts'
import { usualNetwork } from '../../src-shared/model/network.ts'
import { openDevice, portPair, type Device } from '../support/device.ts'
import { found, succeeded, type Organization } from '../support/organization.ts'

let org: Organization
let device: Device
/** How far this device's clock is ahead, in milliseconds. */
let ahead = 0
/** Where this device's clock stands; null while it runs. */
let stopped: number | null = null

beforeEach(async () => {
  org = await found({})
  const { member } = org
  succeeded(await member.post('/users/me/alert_words', { alert_words: ['storm'] }))
  ahead = 0
  stopped = null
  device = await openDevice(
    org.service.baseUrl,
    { email: member.email, apiKey: member.row.api_key },
    45_000,
    () => stopped ?? Date.now() + ahead,
  )
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
})
afterEach(async () => {
  await device.close()
  await org.service.close()
})

test('a message with one of the own words is told of like one that names the person', async () => {
  await org.other.send(org.plaza, 'weather', 'calm all day')
  await org.other.send(org.plaza, 'weather', 'a storm comes')
  await org.other.send(org.plaza, 'weather', '@**Mara Member** come and see')
  await expect.poll(() => device.notices.map(({ body }) => body)).toHaveLength(2)
  expect(device.notices.map(({ body }) => body)).toEqual(['a storm comes', '@Mara Member come and see'])
})

const account = () => ({ accountId: device.accountId })
const set = (settings: Partial<DeviceSettings>) => device.bridge.call('set-device-setting', { settings })
/** Sends a mention, and waits until the device has decided about its notification. */
async function mention(words: string): Promise<void> {
  await arrive('weather', `@**Mara Member** ${words}`)
  // A message may be here before that is decided, but batches before the last one are decided.
  await arrive('elsewhere', 'calm')
}
async function arrive(topic: string, content: string): Promise<void> {
  const id = await org.other.send(org.plaza, topic, content)
  await device.until(
    'feed',
    {
      ...account(),
      narrow: { kind: 'topic', channelId: channelId(org.plaza), topic },
      around: messageId(id),
      before: 1,
      after: 1,
    },
    ({ messages }) => messages.some((message) => message.id === id),
  )
}
const told = () => device.notices.map(({ body }) => body.replace('@Mara Member ', ''))
/** Sets the device's clock to an hour of tomorrow, in UTC. */
const setClock = (hour: number) => {
  const tomorrow = new Date(Date.now() + dayMs)
  ahead = tomorrow.setUTCHours(hour, 0, 0, 0) - Date.now()
}
const night = { isOn: true, from: 22 * 60, to: 7 * 60, days: [1, 2, 3, 4, 5, 6, 7], accountId: null }

test('in quiet hours nothing is told of, over midnight too, and what is unread counts', async () => {
  await set({ quietHours: night, zone: 'UTC' })
  setClock(23)
  await mention('before midnight')
  setClock(26)
  await mention('after midnight')
  expect(device.engine.shellState()).toMatchObject({ mentionCount: 2, isPaused: false })
  expect(device.engine.shellState().quietUntil).not.toBeNull()
  await device.restart()
  await mention('after a restart')
  setClock(31)
  await mention('in the morning')
  await expect.poll(told, { timeout: 45_000 }).toEqual(['in the morning'])
  expect(device.engine.shellState().quietUntil).toBeNull()
})

test('who travels has quiet hours of the place where they are', async () => {
  await set({ quietHours: night, zone: 'UTC' })
  setClock(23)
  await mention('at home')
  await set({ zone: 'America/Los_Angeles' })
  await mention('in the afternoon there')
  await expect.poll(told, { timeout: 45_000 }).toEqual(['in the afternoon there'])
})

test('a pause holds until its end, for an hour or for one organization, and can be ended', async () => {
  setClock(12)
  device.engine.pauseNotifications('hour')
  await mention('in the pause')
  expect(device.engine.shellState()).toMatchObject({ isPaused: true })
  setClock(13)
  await mention('after the pause')
  await expect.poll(told, { timeout: 45_000 }).toEqual(['after the pause'])

  await set({ pauses: [{ accountId: device.accountId, until: Date.now() + ahead + 60_000 }] })
  await mention('in the pause of this one')
  await set({ pauses: [] })
  await mention('once it is ended')
  await expect.poll(told, { timeout: 45_000 }).toEqual(['after the pause', 'once it is ended'])
})

test('hosts hear when quiet begins and ends', async () => {
  setClock(12)
  const states: boolean[] = []
  const stop = device.engine.onShellState(() => states.push(device.engine.shellState().quietUntil !== null))
  device.engine.pauseNotifications('hour')
  await expect.poll(() => states.at(-1), { timeout: 45_000 }).toBe(true)
  // The pause ends by itself.
  await set({ pauses: [{ accountId: null, until: Date.now() + ahead + 300 }] })
  await expect.poll(() => states.at(-1), { timeout: 45_000 }).toBe(false)
  // Also if it ends just after the listeners ran.
  stopped = Date.now() + ahead
  const end = stopped + 1
  await set({ pauses: [{ accountId: null, until: end }] })
  const stopLooking = device.engine.onShellState(() => (stopped = end))
  await expect.poll(() => states.at(-1), { timeout: 45_000 }).toBe(false)
  stopLooking()
  stop()
})

const act = (action: Action) => device.bridge.call('act', { ...account(), action })
const setAll = async (values: Partial<SettingValues>) => {
  for (const [property, value] of Object.entries(values))
    await act({ name: 'update-setting', property, value } as Action)
}
const setHere = (property: 'sound' | 'wildcardMentions' | 'muted', value: boolean | null) =>
  act({ name: 'set-subscription', channelId: channelId(org.plaza), property, value } as Action)
const see = (topic: string, visibility: TopicVisibility) =>
  act({ name: 'set-topic-visibility', channelId: channelId(org.plaza), topic, visibility })

const soundless = { personalSound: false, followedSound: false, channelSound: false }
test.each<[what: string, settings: Partial<SettingValues>, own: boolean | null, sounding: string[]]>([
  ['nothing', {}, null, []],
  ['what is personal', { personalSound: true }, null, ['named', 'direct']],
  ['followed topics', { followedSound: true }, null, ['followed']],
  ['channels', { channelSound: true }, null, ['plain', 'named', 'followed']],
  ['this channel', {}, true, ['plain', 'named', 'followed']],
  ['channels, but not this one', { channelSound: true }, false, []],
  [
    'everything, but no sound chosen',
    { personalSound: true, followedSound: true, channelSound: true, notificationSound: 'none' },
    true,
    [],
  ],
])('with sound for %s, what is told of because of that sounds', async (_what, settings, own, sounding) => {
  // Otherwise the mention would make its topic a followed one.
  succeeded(await org.member.patch('/settings', { automatically_follow_topics_where_mentioned: false }))
  await setAll({ channelDesktop: true, ...soundless, ...settings })
  await setHere('sound', own)
  await see('harbour', 'followed')
  await org.other.send(org.plaza, 'weather', 'plain')
  await org.other.send(org.plaza, 'weather', '@**Mara Member** named')
  await org.other.send(org.plaza, 'harbour', 'followed')
  await org.other.send([org.member], '', 'direct')
  await expect.poll(told, { timeout: 45_000 }).toEqual(['plain', 'named', 'followed', 'direct'])
  const loud = device.notices.filter(({ isSilent }) => !isSilent)
  expect(loud.map(({ body }) => body.replace('@Mara Member ', ''))).toEqual(sounding)
})

const everybody = { wildcardMentionsNotify: true, followedWildcardMentionsNotify: true }
test.each<[what: string, settings: Partial<SettingValues>, own: boolean | null, expected: string[]]>([
  ['is told of except where it is muted', {}, null, ['plain', 'topic', 'followed']],
  ['is told of in followed topics alone', { wildcardMentionsNotify: false }, null, ['followed']],
  ['not in followed topics', { followedWildcardMentionsNotify: false }, null, ['plain', 'topic']],
  [
    'is told of in this channel',
    { wildcardMentionsNotify: false, followedWildcardMentionsNotify: false },
    true,
    ['plain', 'topic'],
  ],
  ['is not told of in this channel', {}, false, ['followed']],
  ['is told of as mentions are', { personalDesktop: false }, null, []],
])('what mentions everybody: %s', async (_what, settings, own, expected) => {
  await setAll({ followedDesktop: false, ...everybody, ...settings })
  await setHere('wildcardMentions', own)
  await see('harbour', 'followed')
  await see('noise', 'muted')
  const plain = await org.other.send(org.plaza, 'weather', '@**all** plain')
  // Only who takes part in a topic is mentioned with it.
  succeeded(await org.member.post(`/messages/${plain}/reactions`, { emoji_name: 'tada' }))
  await org.other.send(org.plaza, 'weather', '@**topic** topic')
  await org.other.send(org.plaza, 'harbour', '@**all** followed')
  await org.other.send(org.plaza, 'noise', '@**all** muted')
  await arrive('elsewhere', 'calm')
  const bodies = device.notices.map(({ body }) => body)
  expect(bodies.map((body) => body.replace(/^@(all|topic) /, ''))).toEqual(expected)
})

test('in a muted channel a mention of everybody is not told of, but a mention by name is, also together with it', async () => {
  await setHere('muted', true)
  await see('harbour', 'unmuted')
  await org.other.send(org.plaza, 'weather', '@**all** muted')
  await org.other.send(org.plaza, 'weather', '@**all** @**Mara Member** named')
  await org.other.send(org.plaza, 'harbour', '@**all** unmuted')
  await arrive('elsewhere', 'calm')
  expect(device.notices.map(({ body }) => body)).toEqual(['@all @Mara Member named', '@all unmuted'])
  const mentions = await device.ask('feed', {
    ...account(),
    narrow: { kind: 'mentions' },
    around: 'newest',
    before: 10,
    after: 0,
  })
  expect(mentions.messages).toHaveLength(3)
})

/** What happens while the engine is closed reaches it in one answer. */
async function whileAway(happens: () => Promise<void>): Promise<void> {
  await device.engine.close()
  await happens()
  await device.restart()
  await arrive('elsewhere', 'calm')
}
const markRead = async (...ids: number[]) =>
  succeeded(await org.member.post('/messages/flags', { op: 'add', flag: 'read', messages: ids }))

test('what was read on another device while this one was away is not told of', async () => {
  await whileAway(async () => {
    const id = await org.other.send(org.plaza, 'weather', '@**Mara Member** come and see')
    for (let count = 0; count < 60; count++) await org.other.send(org.plaza, 'noise', 'calm')
    await markRead(id)
  })
  expect(device.notices).toEqual([])
})

test('many messages at once are told of in one notice, which opens the inbox or the one conversation', async () => {
  await whileAway(async () => {
    for (let count = 0; count < 60; count++)
      await org.other.send(org.plaza, count % 2 === 0 ? 'weather' : 'harbour', '@**Mara Member** come')
  })
  expect(device.notices).toMatchObject([
    { title: '60 new messages in 2 conversations', body: '#plaza › weather, #plaza › harbour' },
  ])
  device.engine.noticeClicked(device.notices[0]?.id ?? '')
  expect(await device.ask('open-request', {})).toMatchObject({ narrow: null, messageId: null })

  let first = 0
  await whileAway(async () => {
    first = await org.other.send([org.member], '', 'one')
    for (let count = 0; count < 5; count++) await org.other.send([org.member], '', 'more')
  })
  expect(device.notices[1]).toMatchObject({ title: '6 new messages', body: 'Otto Other' })
  device.engine.noticeClicked(device.notices[1]?.id ?? '')
  const request = await device.ask('open-request', {})
  expect(request).toMatchObject({ narrow: { kind: 'direct' }, messageId: first })
})

test('a notice is withdrawn once its messages were read anywhere, or deleted', async () => {
  const ids: number[] = []
  for (const words of ['read there', 'deleted', 'read here'])
    ids.push(await org.other.send(org.plaza, 'weather', `@**Mara Member** ${words}`))
  await expect.poll(told).toHaveLength(3)
  const [there = 0, deleted = 0, here = 0] = ids
  const left = async () => (await device.ask('notices', {})).flatMap(({ messageIds }) => messageIds)
  await markRead(there)
  await expect.poll(left).toEqual([deleted, here])
  succeeded(await org.admin.delete(`/messages/${deleted}`))
  await expect.poll(left).toEqual([here])
  await act({ name: 'mark-read', messageIds: [messageId(here)] })
  await expect.poll(left).toEqual([])
  expect(device.withdrawn).toEqual(ids.map((id) => `${device.accountId}-${id}`))
})

test('when the program ends, its notices are withdrawn: the next start would not answer a click on them', async () => {
  await org.other.send(org.plaza, 'weather', '@**Mara Member** are you there?')
  await expect.poll(told).toHaveLength(1)
  await whileAway(() => {
    expect(device.withdrawn).toEqual(device.notices.map(({ id }) => id))
    return Promise.resolve()
  })
})

test('a click on a notice, and a reply to it, go to where its message was moved meanwhile', async () => {
  const id = await org.other.send(org.plaza, 'weather', '@**Mara Member** come')
  await expect.poll(told).toHaveLength(1)
  succeeded(await org.admin.patch(`/messages/${id}`, { topic: 'forecast', propagate_mode: 'change_all' }))
  const narrow = { kind: 'topic', channelId: channelId(org.plaza), topic: 'forecast' } as const
  const place = { ...account(), narrow, around: 'newest', before: 5, after: 0 } as const
  await device.until('feed', place, ({ messages }) => messages.some((message) => message.id === id))
  const [notice] = device.notices
  if (notice === undefined) throw new Error('there is a notice')
  device.engine.noticeClicked(notice.id)
  expect(await device.ask('open-request', {})).toMatchObject({ narrow, messageId: id })
  device.engine.noticeReplied(notice, 'coming')
  const newest = async () => {
    const fields = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
    return succeeded(await org.other.get('/messages', fields))['messages'][0] as unknown
  }
  await expect.poll(newest, { timeout: 45_000 }).toMatchObject({ subject: 'forecast', content: 'coming' })
})

test('who has closed the window is not here, and is told of what comes to the place that it showed', async () => {
  const status = async () => {
    const answer = succeeded(await org.other.get(`/users/${org.member.id}/presence`))
    return answer['presence'].aggregated.status as string
  }
  await expect.poll(status).toBe('idle')
  const [page, close] = pageOf(device)
  const bridge = connectBridge(page)
  const narrow = { kind: 'topic', channelId: channelId(org.plaza), topic: 'weather' } as const
  await bridge.call('report-focus', { focus: { ...account(), narrow }, isActive: true })
  // Another window that the person leaves changes nothing.
  await device.bridge.call('report-focus', { focus: null, isActive: false })
  await mention('in front of the person')
  await device.bridge.call('set-network', { ...account(), network: usualNetwork })
  await expect.poll(status).toBe('active')

  close()
  await device.until('sync-state', account(), ({ status }) => status === 'synced')
  await mention('behind them')
  expect(told()).toEqual(['behind them'])

  // A window that only lost its connection is looked at still.
  bridge.reconnect(pageOf(device)[0])
  await mention('in front of them again')
  expect(told()).toEqual(['behind them'])
})
function pageOf({ engine }: Device): [Port, close: () => void] {
  const [page, host, close] = portPair()
  serveBridge(host, engine, () => {})
  return [page, close]
}
