import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { settingNames, type SettingName, type SettingValues } from '../../src-shared/bridge/settings.ts'
import { settingsMissing, settingValues, putAccountSetting } from '../../src-main/store/account-settings.ts'
import { openStore } from '../../src-main/store/database.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let service: TestService
let device: Device
let userId: number

beforeEach(async () => {
  service = await startService()
  const user = service.createUser('Ada Brook')
  userId = user.userId
  device = await openDevice(service.baseUrl, user)
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
})
afterEach(async () => {
  await device.close()
  await service.close()
})

const put = (property: SettingName, value: boolean | number | string) =>
  device.bridge.call('act', {
    accountId: device.accountId,
    action: { name: 'update-setting', property, value },
  })
const settings = (isWanted: (state: { values: SettingValues; changes: readonly unknown[] }) => boolean) =>
  device.until('settings', { accountId: device.accountId }, isWanted)
const onServer = (name: string) =>
  service.database.get<{ value: string }>(
    'SELECT value FROM user_settings WHERE user_id = ? AND name = ?',
    userId,
    name,
  )?.value
const sidebar = () => device.ask('sidebar', { accountId: device.accountId })

test('every setting is there, with the value of the server', async () => {
  const { values, missing, changes } = await settings(() => true)
  expect(Object.keys(values)).toEqual(settingNames)
  expect(missing).toEqual([])
  expect(changes).toEqual([])
  expect(values).toMatchObject({
    colorScheme: 'automatic',
    homeView: 'inbox',
    fontSize: 16,
    lineHeight: 140,
    markReadOnScroll: 'always',
    imageAnimation: 'on-hover',
    followsTopics: 'starting',
    followedEmail: true,
    channelEmail: false,
  })
})

test('every choice of every setting reaches the server in its words, and comes back from it', async () => {
  for (const [property, value, name, wire] of [
    ['colorScheme', 'dark', 'color_scheme', '2'],
    ['homeView', 'recent', 'web_home_view', '"recent_topics"'],
    ['homeView', 'combined', 'web_home_view', '"all_messages"'],
    ['channelView', 'top-unread-topic', 'web_channel_default_view', '4'],
    ['imageAnimation', 'never', 'web_animate_image_previews', '"never"'],
    ['iconCount', 'personal-and-followed', 'desktop_icon_count_display', '2'],
    ['unmutesTopics', 'never', 'automatically_unmute_topics_in_muted_streams_policy', '4'],
    ['resolvedNoticesRead', 'always', 'resolved_topic_notice_auto_read_policy', '"always"'],
    ['fontSize', 18, 'web_font_size_px', '18'],
    ['personalSound', false, 'enable_sounds', 'false'],
  ] as const) {
    await put(property, value)
    await expect.poll(() => onServer(name)).toBe(wire)
    await settings(({ values, changes }) => values[property] === value && changes.length === 0)
  }
})

test('a change on another device arrives', async () => {
  const user = service.database.get<{ email: string; api_key: string }>(
    'SELECT email, api_key FROM users WHERE user_id = ?',
    userId,
  )
  await fetch(`${service.baseUrl}/settings`, {
    method: 'PATCH',
    headers: { authorization: `Basic ${btoa(`${user?.email}:${user?.api_key}`)}` },
    body: new URLSearchParams({ user_list_style: '1' }),
  })
  await settings(({ values }) => values.userListStyle === 'compact')
})

test('without a network a change takes effect at once, waits in sight, and the last of many is sent', async () => {
  await service.stop()
  await device.untilOffline()
  for (const value of ['recent', 'combined', 'inbox', 'combined'] as const) await put('homeView', value)
  await put('twentyFourHourTime', true)
  const waiting = await settings(({ values }) => values.homeView === 'combined')
  expect(waiting.changes).toMatchObject([
    { name: 'homeView', state: { state: 'waiting' } },
    { name: 'twentyFourHourTime', state: { state: 'waiting' } },
  ])

  await device.restart()
  expect((await settings(() => true)).values).toMatchObject({
    homeView: 'combined',
    twentyFourHourTime: true,
  })
  await service.start()
  await device.bridge.call('try-now', { accountId: device.accountId })
  await settings(({ changes }) => changes.length === 0)
  expect(onServer('web_home_view')).toBe('"all_messages"')
  expect(onServer('twenty_four_hour_time')).toBe('true')
})

test.each([
  ['homeView', 'kitchen'],
  ['fontSize', 1_000],
  ['fontSize', 14.5],
  ['enterSends', 'yes'],
  ['web_home_view', 'inbox'],
])('a window cannot make %s %s', async (property, value) => {
  await expect(
    device.bridge.call('act', {
      accountId: device.accountId,
      // A hostile window may send this.
      action: { name: 'update-setting', property, value } as ActionInput,
    }),
  ).rejects.toThrow()
})

test('a setting that the server does not keep is named, one in an unknown form counts as not set', async () => {
  const directory = temporaryFolder(onTestFinished)
  const store = openStore(join(directory, 'account.db'), () => {})
  expect(settingsMissing(store.db)).toEqual([])
  store.write((db) => {
    putAccountSetting(db, 'web_home_view', 'recent_topics')
    putAccountSetting(db, 'color_scheme', 17)
  })
  expect(settingsMissing(store.db)).toContain('channelFolders')
  expect(settingsMissing(store.db)).not.toContain('homeView')
  expect(settingValues(store.db)).toMatchObject({ homeView: 'recent', colorScheme: 'automatic' })
  store.close()
})

test('the sidebar follows the settings: no folders, inactive channels apart', async () => {
  const { db } = service.workspace
  const quiet = service.createChannel('quiet', [userId])
  service.createChannel('lively', [userId])
  db.run(
    `INSERT INTO channel_folders (folder_id, name, description, position, date_created) VALUES (1, 'Work', '', 0, 1)`,
  )
  db.run(`UPDATE channels SET folder_id = 1, date_created = 1000 WHERE channel_id = ?`, quiet)
  await service.stop()
  await service.start()
  await device.bridge.call('try-now', { accountId: device.accountId })
  const names = async () =>
    (await sidebar()).folders.map(
      ({ name, channels, inactiveCount }) =>
        `${name}: ${channels.map((one, index) => (index < channels.length - inactiveCount ? one.name : `(${one.name})`)).join(', ')}`,
    )
  await expect.poll(names).toEqual(['Work: quiet', 'Other channels: lively'])
  await put('channelFolders', false)
  expect(await names()).toEqual(['Channels: lively, quiet'])
  await put('inactiveChannels', 'always')
  expect(await names()).toEqual(['Channels: lively, (quiet)'])
  await put('channelFolders', true)
  expect(await names()).toEqual(['Work: (quiet)', 'Other channels: lively'])
  await put('channelFolders', false)
  await put('inactiveChannels', 'never')
  expect(await names()).toEqual(['Channels: lively, quiet'])
})

test('the app icon counts what is wanted', async () => {
  const plain = service.createChannel('plain', [userId])
  const other = service.createUser('Bo Lind')
  service.send(other.userId, plain, 'followed', 'one')
  service.send(other.userId, plain, 'followed', '@**Ada Brook** two')
  service.send(other.userId, plain, 'third', 'three')
  service.send(other.userId, plain, 'other', '@**Ada Brook** four')
  await device.until('sidebar', { accountId: device.accountId }, ({ inboxCount }) => inboxCount === 4)
  await device.bridge.call('act', {
    accountId: device.accountId,
    action: { name: 'set-topic-visibility', channelId: plain, topic: 'followed', visibility: 'followed' },
  })
  const count = () => device.engine.shellState().badgeCount
  await expect.poll(count).toBe(4)
  await put('iconCount', 'personal-and-followed')
  await expect.poll(count).toBe(3)
  await put('iconCount', 'personal')
  await expect.poll(count).toBe(2)
  await put('iconCount', 'none')
  await expect.poll(count).toBe(0)
})

test('who does not want to know sees nobody type', async () => {
  const channel = service.createChannel('tides', [userId])
  const narrow = { kind: 'topic', channelId: channel as never, topic: 'board' } as const
  const other = service.createUser('Bo Lind')
  service.workspace.publish([userId], {
    type: 'typing',
    op: 'start',
    message_type: 'stream',
    sender: { user_id: other.userId, email: other.email },
    stream_id: channel,
    topic: 'board',
  })
  await device.until('typing', { accountId: device.accountId, narrow }, (names) => names.length === 1)
  await put('receivesTyping', false)
  await device.until('typing', { accountId: device.accountId, narrow }, (names) => names.length === 0)
})

test('settings of this device stay through a restart', async () => {
  await device.bridge.call('set-device-setting', {
    settings: { theme: 'dark', historyDepth: 'everything', keepsInTray: false },
  })
  await device.restart()
  expect(await device.ask('device-settings', {})).toMatchObject({
    theme: 'dark',
    historyDepth: 'everything',
    keepsInTray: false,
    density: 'comfortable',
  })
})
