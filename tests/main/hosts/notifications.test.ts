import { registerHooks } from 'node:module'
import { expect, test } from 'vitest'
import { accountId } from '../../../src-shared/ids.ts'
import { record } from '../../rehearsal/electron/record.ts'

// The part of the rehearsal's `electron` that shows notifications, without its windows.
const system = new URL('../../rehearsal/electron/system.ts', import.meta.url).href
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: system, shortCircuit: true } : next(specifier, context),
})
const { showNotices } = await import('../../../src-main/hosts/electron/notifications.ts')
hooks.deregister()

const shown = () => record.notifications.filter(({ isClosed }) => !isClosed).map(({ title }) => title)
const notice = (title: string) => ({
  id: title,
  accountId: accountId('a'),
  messageIds: [],
  conversation: null,
  title,
  body: '',
  avatarUrl: null,
  isSilent: true,
})
const open = () => showNotices(() => ({ clicked: () => {}, replied: () => {} }), expect.unreachable)

test('what can be answered no longer is not shown any longer', () => {
  const { notify, withdraw } = open()
  const titles = Array.from({ length: 60 }, (_, index) => `tide ${index}`)
  for (const title of titles) notify(notice(title))
  expect(shown()).toEqual(titles.slice(10))
  withdraw(titles)
  expect(shown()).toEqual([])
})

test('on macOS the notifications of an earlier start are removed, because nothing would answer a click', () => {
  open().notify(notice('left over'))
  const { platform } = process
  Object.defineProperty(process, 'platform', { value: 'darwin' })
  try {
    open()
  } finally {
    Object.defineProperty(process, 'platform', { value: platform })
  }
  expect(shown()).toEqual([])
})
