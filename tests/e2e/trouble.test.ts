import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts'
import { startFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { findingsInBothThemes } from './axe.ts'
import { goTo } from './browser.ts'
import { screens } from './screens.ts'
import { openStage, type Stage } from './stage.ts'

// What a person reads when something outside the app fails, in a real window.

let page: Page
let stage: Stage
let network: FaultyNetwork
let other: ScriptedServer
let target = 0

beforeAll(async () => {
  stage = await openStage({ window: { permissions: ['clipboard-read', 'clipboard-write'] } })
  page = stage.page
  other = await startScriptedServer()
  target = stage.service.port
  network = await startFaultyNetwork(() => target)
})

afterAll(async () => {
  await stage?.close()
  await network.close()
  await other.stop()
})

const pill = () => page.getByTestId('sync-pill')
const panel = () => page.getByRole('region', { name: 'Sync', exact: true })
const openPanel = async () => {
  if ((await panel().count()) === 0) await pill().click()
  await panel().waitFor()
}
const findings = () => findingsInBothThemes(page)

test('an address that is wrong, secure where nothing is, or of something else is explained beside the field', async () => {
  const explained = async (address: string, words: string) => {
    await page.getByLabel('Organization address').fill(address)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
  }
  await explained('chat.invalid', 'This address wasn’t found')
  await explained(`https://127.0.0.1:${network.port}`, 'doesn’t offer a secure connection')
  other.answer('GET /server_settings', { text: '<!doctype html><title>A bakery</title>' })
  await explained(`http://127.0.0.1:${other.port}`, 'isn’t a compatible chat server')
  await page.getByText('Network settings').click()
  expect(await findings()).toEqual([])
})

test('a network that breaks is told with the reason, and got over by itself', async () => {
  const [own] = stage.service.accounts
  await page.getByLabel('Organization address').fill(`http://127.0.0.1:${network.port}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Email').fill(own?.email ?? '')
  await page.getByRole('textbox', { name: 'Password' }).fill(own?.password ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await pill().filter({ hasText: 'Synced' }).waitFor()
  // History is fetched in steps with pauses; during a pause the pill stays the same.
  await page.waitForTimeout(3_000)
  await pill().filter({ hasText: 'Synced' }).waitFor()
  network.be({ kind: 'reset', afterBytes: 0 })
  network.cut()
  await pill().filter({ hasText: 'Offline' }).waitFor()
  await openPanel()
  await panel().getByText('The connection broke before the response arrived.').waitFor()
  network.be({ kind: 'none' })
  await panel().getByRole('button', { name: 'Try now' }).click()
  await pill().filter({ hasText: 'Synced' }).waitFor()
})

test('a page to sign in to the network says what to do', async () => {
  other.answer('GET /events', { text: '<html>Welcome aboard</html>' })
  target = other.port
  network.cut()
  await pill().filter({ hasText: 'Not reachable since' }).waitFor()
  await panel().getByText('If this network asks you to sign in, do that in a browser').waitFor()
})

test('a key that is refused says that drafts and outbox stay', async () => {
  other.answer('GET /events', { error: 'UNAUTHORIZED', status: 401 })
  await panel().getByRole('button', { name: 'Try now' }).click()
  await pill().filter({ hasText: 'Sign in to sync' }).waitFor()
  await pill().click()
  const dialog = page.getByRole('dialog', { name: 'Sign in again to keep syncing' })
  await dialog.getByText('your drafts and outbox stay').waitFor()
  await dialog.getByRole('button', { name: 'Keep working offline' }).click()
  // What is written now waits for the person, not for the network.
  await goTo(page, 'channel/1/topic/locked%20out')
  await page.getByPlaceholder('sent once you sign in').fill('Let me in.')
  await page.getByRole('button', { name: 'Queue', exact: true }).click()
  await page.getByText('Queued, sends once you sign in').waitFor()
  await page.locator('.msg', { hasText: 'Let me in.' }).first().waitFor()
  await goTo(page, 'combined')
  await page.locator('.msg:not(.waiting)').last().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remind me' }).hover()
  await page.getByRole('menuitem', { name: 'In three hours' }).click()
  await page.getByText(/: reminder will be set once you sign in$/).waitFor()
  await goTo(page, 'drafts')
  await page.getByText('Sends by itself, oldest first, once you sign in').waitFor()
  target = stage.service.port
  network.cut()
  await pill().click()
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('alert').getByText('Enter your password.').waitFor()
  await dialog.getByLabel(/^Password for/).fill(stage.service.accounts[0]?.password ?? '')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await pill().filter({ hasText: 'Synced' }).waitFor()
})

test('the report of the diagnostics can be copied, and names nobody', async () => {
  await openPanel()
  await panel().getByRole('button', { name: 'Network' }).click()
  await page
    .getByRole('dialog', { name: 'Network of this account' })
    .getByRole('button', { name: 'Diagnostics' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Diagnostics' })
  await dialog.getByText('Feature level 420').waitFor()
  expect(await findings()).toEqual([])
  await dialog.getByRole('button', { name: 'Copy report' }).click()
  await dialog.getByText('Copied.').waitFor()
  const report = await page.evaluate(() => navigator.clipboard.readText())
  expect(report).toContain('Dunlin diagnostics')
  expect(report).toContain('feature level 420')
  for (const { full_name, email } of stage.service.accounts) {
    expect(report).not.toContain(full_name)
    expect(report).not.toContain(email)
  }
  await dialog.getByRole('button', { name: 'Close' }).click()
})

test('a proxy that cannot be one is refused, one that is not there is named, and none helps', async () => {
  const choose = async (address: string | null) => {
    await openPanel()
    await panel().getByRole('button', { name: 'Network' }).click()
    const dialog = page.getByRole('dialog', { name: 'Network of this account' })
    await dialog.getByLabel(address === null ? 'None' : 'Custom', { exact: true }).check()
    if (address !== null) await dialog.getByLabel('Proxy address').fill(address)
    await dialog.getByRole('button', { name: 'Use this' }).click()
    return dialog
  }
  const dialog = await choose('proxy')
  await dialog.getByRole('alert').filter({ hasText: 'Not a proxy address' }).waitFor()
  expect(await findings()).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await choose('http://127.0.0.1:9')
  await pill().filter({ hasText: 'Offline' }).waitFor()
  await openPanel()
  await panel().getByText('Neither the proxy 127.0.0.1:9').waitFor()
  await page.keyboard.press('Escape')
  await choose(null)
  await pill().filter({ hasText: 'Synced' }).waitFor()
})

test('two versions of a draft are compared with what was joined, what is left, and how much each changed', async () => {
  await screens['draft-in-conflict']?.(stage)
  const dialog = page.getByRole('dialog', { name: 'This draft was edited on two devices' })
  const merged = dialog.locator('.col.mid')
  await merged.getByText('Editable. 1 change merged').waitFor()
  await merged.getByText('1 to check').waitFor()
  expect(await merged.locator('ins').allInnerTexts()).toEqual([expect.stringContaining('five')])
  expect(await merged.locator('del').allInnerTexts()).toEqual([expect.stringContaining('four')])
  await dialog.locator('.col').first().getByText('1 change', { exact: true }).waitFor()
  await dialog.locator('.col').last().getByText('2 changes', { exact: true }).waitFor()
  await page.keyboard.press('1')
  await merged.getByText('1 to check').waitFor({ state: 'detached' })
  await merged.getByRole('button', { name: 'Edit text' }).click()
  const text = 'The gauge drifts by five millimetres a week. We should look at the clamp before Thursday.'
  await expect.poll(() => merged.getByLabel('Merged text').inputValue()).toBe(text)
  await page.keyboard.type('123')
  await expect.poll(() => merged.getByLabel('Merged text').inputValue()).toBe(`${text}123`)
  await merged.getByRole('button', { name: 'Undo edits' }).click()
  await merged
    .getByRole('radio', { checked: true })
    .and(merged.getByLabel(/Thursday/))
    .waitFor()
  // Whoever decides later finds the words that they wrote.
  await merged.getByRole('button', { name: 'Edit text' }).click()
  await merged.getByLabel('Merged text').fill(`${text}123`)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByTestId('draft-state').getByRole('button', { name: 'Compare' }).click()
  await expect.poll(() => merged.getByLabel('Merged text').inputValue()).toBe(`${text}123`)
  await merged.getByRole('button', { name: 'Undo edits' }).click()
  await merged.getByRole('radio', { checked: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('keys and buttons go from difference to difference and round again, and take the focus along', async () => {
  await screens['draft-in-conflict']?.(stage)
  const dialog = page.getByRole('dialog', { name: 'This draft was edited on two devices' })
  await dialog.getByRole('button', { name: 'Next difference' }).waitFor()
  const focused = () =>
    page.evaluate(
      () =>
        document.activeElement?.closest('[data-piece]')?.getAttribute('aria-label')?.split(',')[0] ?? null,
    )
  const arrivesBy = async (keys: string) => {
    await page.keyboard.press(keys)
    return focused()
  }
  expect(await arrivesBy('F7')).toBe('Difference 1 of 2')
  expect(await arrivesBy('F7')).toBe('Difference 2 of 2')
  // The choice has the focus, so the arrows change it.
  const chosen = () =>
    dialog.getByRole('radio').evaluateAll((all: HTMLInputElement[]) => all.findIndex((one) => one.checked))
  const at = await chosen()
  await page.keyboard.press('ArrowDown')
  await expect.poll(chosen).toBe((at + 1) % 3)
  expect(await arrivesBy('F7')).toBe('Difference 1 of 2')
  expect(await arrivesBy('Shift+F7')).toBe('Difference 2 of 2')
  await dialog.getByRole('button', { name: 'Previous difference' }).click()
  expect(await focused()).toBe('Difference 1 of 2')
  await dialog.getByRole('button', { name: 'Next difference' }).click()
  expect(await focused()).toBe('Difference 2 of 2')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('what the other device wrote after the merged text was edited is not overwritten by it', async () => {
  await screens['draft-in-conflict']?.(stage)
  const dialog = page.getByRole('dialog', { name: 'This draft was edited on two devices' })
  const compare = page.getByTestId('draft-state').getByRole('button', { name: 'Compare' })
  await dialog.getByRole('button', { name: 'Edit text' }).click()
  await dialog.getByLabel('Merged text').fill('We look at the clamp on Saturday.')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // Both devices write on before the person uses it.
  const box = page.getByLabel('Message', { exact: true })
  await box.fill(`${await box.inputValue()} Bring oars.`)

  // The envelope of the service's own answer.
  type Drafts = { drafts: { id: number; content: string }[] }
  const { drafts } = (await stage.ask('GET', '/drafts')) as Drafts
  const theirs = drafts.find(({ content }) => content.includes('Monday'))
  const { id, ...rest } = theirs ?? { id: 0, content: '' }
  const content = rest.content.replace('Monday', 'Monday or Sunday')
  const draft = { ...rest, content, timestamp: Math.floor(Date.now() / 1_000) }
  await stage.ask('PATCH', `/drafts/${id}`, { draft: JSON.stringify(draft) })
  // The dialog shows the conflict as it was when it opened.
  await expect
    .poll(async () => {
      await compare.click()
      const words = await dialog.locator('.col').last().innerText()
      if (words.includes('Sunday')) return true
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      return false
    })
    .toBe(true)
  expect(await dialog.getByLabel('Merged text').inputValue()).toBe('We look at the clamp on Saturday.')
  await dialog.getByRole('button', { name: 'Use merged' }).click()
  await page.getByText('The other device changed the same words again.').waitFor()
  await compare.click()
  await dialog.locator('.col').first().getByText('Saturday').waitFor()
  expect(await box.inputValue()).toBe('We look at the clamp on Saturday. Bring oars.')
  await dialog.locator('.col').last().getByText('Sunday').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

// The screens of an unavailable service, in their order.
test.each([
  'draft-in-conflict',
  'offline-topic',
  'offline-not-kept',
  'offline-outbox',
  'offline-sync-panel',
  'offline-search',
  'back-online',
  // Only where the system lets a test mount a disk.
  ...['disk-full', 'disk-with-room-again'].filter((name) => name in screens),
  'refused-message',
  'refused-in-outbox',
  'refused-message-reviewed',
  'key-refused',
  'signing-in-again',
])('nothing is found on %s', async (name) => {
  await screens[name]?.(stage)
  expect(await findings()).toEqual([])
})
