import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { accountId } from '../../src-shared/ids.ts'
import { autostartEntry } from '../../src-main/shell/autostart-entry.ts'
import { badgeModel } from '../../src-main/shell/badge-model.ts'
import { findKeysOf } from '../../src-main/shell/accelerator.ts'
import { contextMenuModel } from '../../src-main/shell/context-menu-model.ts'
import { deepLink, deepLinkScheme, linkAmong } from '../../src-main/shell/deep-link.ts'
import { appUserModelId, toastActivatorClsid } from '../../src-main/shell/identity.ts'
import { menuModel } from '../../src-main/shell/menu-model.ts'
import { forgets, notificationBody } from '../../src-main/shell/notification-model.ts'
import { shortcuts } from '../../src-renderer/state/keys/shortcuts.ts'
import type { ShellState } from '../../src-main/shell/shell-state.ts'
import { argsOfNextStart, startsHidden } from '../../src-main/shell/start-model.ts'
import { showsOnTrayClick, trayFile, trayModel } from '../../src-main/shell/tray-model.ts'
import { leavesFullScreenFirst } from '../../src-main/shell/window-model.ts'

const kelp = {
  id: accountId('a1'),
  name: 'Kelp Watch',
  baseUrl: 'https://kelp.example/api/v1',
  unreadCount: 2,
}
const tern = { id: accountId('a2'), name: 'Tern', baseUrl: 'http://10.0.0.7:9991/api/v1', unreadCount: 0 }
const state = (change: Partial<ShellState> = {}): ShellState => ({
  unreadCount: 0,
  badgeCount: 0,
  mentionCount: 0,
  isOffline: false,
  waitingCount: 0,
  notifies: true,
  quietUntil: null,
  isPaused: false,
  accounts: [kelp],
  ...change,
})

test.each([
  ['plain', 'Dunlin', {}],
  ['unread', 'Dunlin: 3 unread', { unreadCount: 3 }],
  ['attention', 'Dunlin: 3 unread, 1 for you', { unreadCount: 3, mentionCount: 1 }],
  ['offline', 'Dunlin: 3 unread, offline, 2 waiting', { unreadCount: 3, isOffline: true, waitingCount: 2 }],
  ['attention', 'Dunlin: 3 unread, 1 for you, offline', { unreadCount: 3, mentionCount: 1, isOffline: true }],
])('the tray shows %s and says "%s"', (icon, tooltip, change) => {
  expect(trayModel(state(change))).toMatchObject({ icon, tooltip })
})

test('the tray lists organizations from two on, and its switch turns what is', () => {
  const labels = (one: ShellState) => trayModel(one).items.map((item) => item?.label ?? '-')
  expect(labels(state())).toEqual([
    'Open Dunlin',
    '-',
    'Notifications',
    'Pause notifications for 1 hour',
    'Pause notifications until tomorrow',
    '-',
    'Quit Dunlin',
  ])
  expect(labels(state({ accounts: [kelp, tern] }))).toEqual([
    'Open Dunlin',
    '-',
    'Kelp Watch (2)',
    'Tern',
    '-',
    'Notifications',
    'Pause notifications for 1 hour',
    'Pause notifications until tomorrow',
    '-',
    'Quit Dunlin',
  ])
  expect(trayModel(state({ notifies: false })).items[2]).toEqual({
    label: 'Notifications',
    command: { kind: 'set-notifications', on: true },
    isChecked: false,
  })
})

test.each([
  [{}, { count: 0, overlay: null, description: '', wantsAttention: false }],
  [
    { unreadCount: 7, badgeCount: 0 },
    { count: 0, overlay: null, description: '7 unread' },
  ],
  [
    { unreadCount: 7, badgeCount: 7 },
    { count: 7, overlay: 'unread', description: '7 unread', wantsAttention: false },
  ],
  [
    { unreadCount: 7, badgeCount: 7, mentionCount: 2 },
    { count: 7, overlay: 'attention', description: '7 unread, 2 for you', wantsAttention: true },
  ],
  [{ unreadCount: 123_456, badgeCount: 123_456 }, { count: 9_999 }],
])('the badge of %o', (change, wanted) => {
  expect(badgeModel(state(change))).toMatchObject(wanted)
})

test('a Linux desktop starts the app by a file, whatever its path holds', () => {
  expect(autostartEntry('/opt/Dunlin/dunlin')).toContain('\nExec="/opt/Dunlin/dunlin" --hidden\n')
  expect(autostartEntry('/home/a "b"/100%/$x.AppImage')).toContain(
    '\nExec="/home/a \\"b\\"/100%%/\\$x.AppImage" --hidden\n',
  )
})

test('the menu names the key that the page has for the usual size', () => {
  const [chord = ''] = shortcuts.find(({ name }) => name === 'zoom-reset')?.chords ?? []
  const item = menuModel('linux', null)
    .flatMap(({ items }) => items)
    .find((one) => one !== null && 'role' in one && one.role === 'resetZoom')
  expect(item).toMatchObject({ accelerator: chord.replace('Ctrl', 'CommandOrControl') })
})

test('finding is under Edit, with the keys that work on this device, as the system writes them', () => {
  const [usual = ''] = shortcuts.find(({ name }) => name === 'find')?.chords ?? []
  expect(usual).not.toBe('')
  const item = (chosen: readonly string[] | null, singleKeys = true) =>
    menuModel('linux', findKeysOf({ shortcuts: chosen === null ? {} : { find: chosen }, singleKeys }))
      .find(({ label }) => label === 'Edit')
      ?.items.at(-1)
  const find = { label: 'Find…', command: { kind: 'find' } }
  const shown = (accelerator: string) => ({ ...find, accelerator, isKeyOfPage: true })
  expect(item(null)).toEqual(shown(usual.replace('Ctrl', 'CommandOrControl')))
  expect(item(['Ctrl+Shift+ArrowUp', 'F3'])).toEqual(shown('CommandOrControl+Shift+Up'))
  expect(item(['Ctrl++'])).toEqual(shown('CommandOrControl+Plus'))
  expect(item(['F'])).toEqual(shown('F'))
  expect(item(['F', 'F3'], false)).toEqual(shown('F3'))
  // Switched off, and keys that the system's menu cannot name: it throws at them.
  for (const none of [[], ['ф']]) expect(item(none)).toEqual(find)
})

test('quitting is under File, but on macOS under the name of the app', () => {
  expect(menuModel('linux', null).map(({ label }) => label)).toEqual(['File', 'Edit', 'View', 'Window'])
  expect(menuModel('darwin', null).map(({ label }) => label)).toEqual(['Dunlin', 'Edit', 'View', 'Window'])
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    expect(menuModel(platform, null)[0]?.items.at(-1)).toMatchObject({
      label: 'Quit Dunlin',
      command: { kind: 'quit' },
    })
  }
})

const nothing = { isEditable: false, selectionText: '', linkUrl: '', misspelledWord: '', suggestions: [] }
test.each([
  ['nowhere', nothing, []],
  ['a selection', { ...nothing, selectionText: 'tide' }, [{ role: 'copy' }]],
  [
    'a link',
    { ...nothing, linkUrl: 'https://kelp.example/' },
    [{ label: 'Copy link', does: 'copy-link', text: 'https://kelp.example/' }],
  ],
  ['a link that runs a script', { ...nothing, linkUrl: 'javascript:alert(1)' }, []],
  [
    'a misspelled word',
    { ...nothing, isEditable: true, misspelledWord: 'guage', suggestions: ['gauge', 'gage'] },
    [
      { label: 'gauge', does: 'correct', text: 'gauge' },
      { label: 'gage', does: 'correct', text: 'gage' },
      { label: 'Add “guage” to the dictionary', does: 'learn', text: 'guage' },
      null,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
    ],
  ],
])('the right button on %s', (_where, subject, wanted) => {
  expect(contextMenuModel(subject)).toEqual(wanted)
})

const topic = { accountId: 'a1', narrow: { kind: 'topic', channelId: 4, topic: 'gauge 4' } }
test.each([
  ['dunlin://kelp.example/#narrow/channel/4-tides/topic/gauge.204', { ...topic, near: null }],
  ['dunlin://kelp.example/#narrow/channel/4-tides/topic/gauge.204/near/99', { ...topic, near: 99 }],
  [
    'https://kelp.example/#narrow/stream/4-tides/subject/gauge.204/with/99',
    { ...topic, near: null, topicOf: 99 },
  ],
  [
    'dunlin://10.0.0.7:9991/#narrow/dm/5,6-group',
    { accountId: 'a2', narrow: { kind: 'direct', userIds: [5, 6] }, near: null },
  ],
  [
    'dunlin://kelp.example/#narrow/channel/4-tides',
    { accountId: 'a1', narrow: { kind: 'channel', channelId: 4 } },
  ],
  ['dunlin://kelp.example/', null],
  ['dunlin://elsewhere.example/#narrow/channel/4', null],
  ['dunlin://kelp.example/#narrow/channel/-4', null],
  ['dunlin://kelp.example/#narrow/channel/99999999999999999999', null],
  ['file://kelp.example/#narrow/channel/4', null],
  ['not a link', null],
  [`dunlin://kelp.example/#narrow/channel/4-${'x'.repeat(5_000)}`, null],
])('the link %.70s', (link, wanted) => {
  const place = deepLink(link, [kelp, tern])
  if (wanted === null) expect(place).toBeNull()
  else expect(place).toMatchObject(wanted)
})

test('a link is found among the arguments that systems add', () => {
  expect(linkAmong(['/opt/dunlin', '--no-sandbox', 'dunlin://kelp.example/#narrow/channel/4'])).toBe(
    'dunlin://kelp.example/#narrow/channel/4',
  )
  expect(linkAmong(['/opt/dunlin', 'https://kelp.example/'])).toBeNull()
})

test('the installer for Windows knows the app by the names that the app uses', () => {
  const { appId } = parse(readFileSync('build/electron-builder.yml', 'utf8')) as { appId: string }
  expect(appId).toBe(appUserModelId)
  const uninstall = readFileSync('build/installer.nsh', 'utf8')
  expect(toastActivatorClsid).toMatch(/^\{[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}\}$/)
  expect(uninstall).toContain(`"Software\\Classes\\CLSID\\${toastActivatorClsid}"`)
  expect(uninstall).toContain(`"Software\\Classes\\${deepLinkScheme}"`)
})

test('a notification can be answered from the notification centre of Windows', () => {
  expect(forgets('win32', 'timedOut')).toBe(false)
  expect(forgets('win32', 'applicationHidden')).toBe(false)
  expect(forgets('win32', 'userCanceled')).toBe(true)
  expect(forgets('darwin', undefined)).toBe(true)
  expect(forgets('linux', 'timedOut')).toBe(true)
})

test('the words of a message are no markup for the notification servers of Linux', () => {
  const words = 'if a < b && c > d: <b>stop</b>'
  expect(notificationBody('linux', words)).toBe('if a &lt; b &amp;&amp; c &gt; d: &lt;b&gt;stop&lt;/b&gt;')
  expect(notificationBody('darwin', words)).toBe(words)
  expect(notificationBody('win32', words)).toBe(words)
})

test('a start with the computer stays in the tray', () => {
  expect(startsHidden('linux', true, () => false)).toBe(true)
  expect(startsHidden('win32', false, () => true)).toBe(false)
  expect(startsHidden('darwin', false, () => true)).toBe(true)
  expect(startsHidden('darwin', false, () => false)).toBe(false)
})

test('the start after this one shows what was asked for meanwhile', () => {
  const own = ['/src', '--data-dir=/d', '--hidden', 'dunlin://kelp.example/#narrow/channel/4']
  expect(argsOfNextStart(own, null)).toEqual(['/src', '--data-dir=/d'])
  expect(argsOfNextStart(own, 'dunlin://kelp.example/#narrow/channel/5')).toEqual([
    '/src',
    '--data-dir=/d',
    'dunlin://kelp.example/#narrow/channel/5',
  ])
})

test('a window on macOS leaves full screen before it is hidden', () => {
  expect(leavesFullScreenFirst('darwin', true)).toBe(true)
  expect(leavesFullScreenFirst('darwin', false)).toBe(false)
  expect(leavesFullScreenFirst('linux', true)).toBe(false)
})

test.each([
  ['tray-template-unread.png', 'darwin', '', true, true],
  ['tray-dark-attention.png', 'win32', '', false, true],
  ['tray-light-attention.png', 'win32', '', true, false],
  ['tray-dark-attention.png', 'linux', 'ubuntu:GNOME', false, false],
  ['tray-light-attention.png', 'linux', 'KDE', false, false],
  ['tray-dark-attention.png', 'linux', 'KDE', true, false],
] as const)('%s is seen in the bar of %s %s', (file, platform, desktop, isDark, isSystemDark) => {
  expect(trayFile('attention', { platform, desktop, isDark, isSystemDark })).toBe(file)
  expect(existsSync(join('build/icons/png', file))).toBe(true)
})

test('a click on the tray shows the window, but on macOS its menu', () => {
  expect(
    ['linux', 'win32', 'darwin'].map((platform) => showsOnTrayClick(platform as NodeJS.Platform)),
  ).toEqual([true, true, false])
})
