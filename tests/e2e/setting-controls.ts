import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { goTo, type Fields } from './browser.ts'

/** The server's copy of a person's settings, under the names of the wire. */
type ReadSettings = () => Promise<Record<string, unknown>>

/** Operates the settings as a person does. Each function resolves once window and server have the change. */
export function settingControls(page: Page, read: ReadSettings) {
  const waiting = page.getByRole('img', { name: 'Waiting for the server' })
  const settled = () => expect.poll(() => waiting.count()).toBe(0)
  return {
    settled,
    async open(name: string, title: string): Promise<void> {
      await goTo(page, `settings/${name}`)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    },
    async flip(name: string): Promise<void> {
      const toggle = page.getByRole('switch', { name, exact: true })
      const before = await toggle.getAttribute('aria-checked')
      await toggle.click()
      await expect.poll(() => toggle.getAttribute('aria-checked')).not.toBe(before)
      await settled()
    },
    async choose(name: string, label: string): Promise<void> {
      const list = page.getByLabel(name, { exact: true })
      const isOfAccount = await followsAccount(page, list)
      const all = async () => JSON.stringify(await read())
      const before = isOfAccount ? await all() : ''
      const isChosen = await list.evaluate(
        (select, words) => (select as HTMLSelectElement).selectedOptions[0]?.label.trim() === words,
        label,
      )
      if (isChosen) return
      await list.selectOption({ label })
      // A list shows the choice at once, and its waiting mark may come and go unnoticed, so this waits for the server.
      if (isOfAccount) await expect.poll(all).not.toBe(before)
      await settled()
    },
  }
}

const followsAccount = async (page: Page, control: Locator): Promise<boolean> =>
  (await page
    .locator('[data-setting]')
    .filter({ has: control })
    .getByRole('img', { name: 'Follows your account' })
    .count()) > 0

/** Asks the service for the settings of the calling account. */
export const readSettings =
  (asking: (method: string, path: string, fields: Fields) => Promise<unknown>): ReadSettings =>
  async () => {
    const answer = await asking('POST', '/register', {
      fetch_event_types: '["user_settings"]',
      client_capabilities: '{"user_settings_object":true}',
    })
    // The envelope of the service's own answer.
    return (answer as { user_settings: Record<string, unknown> }).user_settings
  }
