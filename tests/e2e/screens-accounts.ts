import type { AllPage } from '../../src-renderer/state/navigation/route.svelte.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { enterAccount, goTo } from './browser.ts'
import { clear, heading, onInbox, openInbox, rail, settings, type Screens } from './screen-ways.ts'
import type { Stage } from './stage.ts'

/** Before anybody is signed in. */
export const signInScreens: Screens = {
  'sign-in': async ({ page }) => page.getByLabel(t.signIn.address).waitFor(),
  'sign-in-wrong-address': async ({ page }) => {
    await page.getByLabel(t.signIn.address).fill('127.0.0.1:9')
    await page.getByRole('button', { name: t.signIn.continue }).click()
    await page.getByRole('alert').waitFor()
  },
  'sign-in-password': async (stage) => {
    await stage.page.reload()
    await enterAccount(stage.page, stage.service.baseUrl, stage.own)
  },
}

/** A page over all organizations that has rows. */
const overAll =
  (name: AllPage, row: string) =>
  async ({ page }: Stage) => {
    await clear(page)
    await page.evaluate((hash) => (location.hash = hash), `/all/${name}`)
    await heading(page, t.allOrganizations.title(t.mainWindow.sidebar[name]))
    await page.locator(`main ${row}`).first().waitFor()
  }

/** A second organization, and pausing the notifications of both. */
export const organizationScreens: Screens = {
  'two-organizations': async (stage) => {
    const { page } = stage
    await openInbox(stage)
    if ((await rail(page).count()) > 0) {
      await page.keyboard.press('Control+2')
      return
    }
    await page
      .getByRole('button', { name: /Skerry/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: t.mainWindow.account.add }).click()
    await enterAccount(page, stage.service.baseUrl, stage.other)
    await page.getByRole('button', { name: t.signIn.signIn }).click()
    await rail(page).waitFor()
  },
  'all-organizations': overAll('inbox', '.ur'),
  'all-organizations-recent': overAll('recent', '.ur'),
  'all-organizations-mentions': overAll('mentions', '.ur'),
  'all-organizations-starred': overAll('starred', '.ur'),
  'all-organizations-drafts': overAll('drafts', '.dr'),
  'all-organizations-scheduled': overAll('scheduled', '.later-row'),
  'all-read': async (stage) => {
    const { page } = stage
    await clear(page)
    await page.keyboard.press('Control+2')
    await goTo(page, 'inbox')
    const mark = page.getByRole('button', { name: t.inbox.markAllRead })
    const done = page.getByText(t.inbox.nothing.all.title)
    await mark.or(done).first().waitFor()
    if ((await mark.count()) > 0) await mark.click()
    await done.waitFor()
  },
  // These come last, because the mark of a pause stays.
  'pausing-notifications': onInbox(async (page) => {
    await page.keyboard.press('Escape')
    await page.locator('.sb-org').click()
    const ends = page.getByRole('menuitem', { name: t.mainWindow.account.resume })
    const begins = page.getByRole('menuitem', { name: t.mainWindow.account.pause, exact: true })
    await ends.or(begins).first().waitFor()
    if ((await begins.count()) === 0) return
    await begins.press('ArrowRight')
    await page.getByRole('menuitem', { name: t.settings.quiet.pauses.hour }).waitFor()
  }),
  'notifications-paused': async (stage) => {
    const { page } = stage
    await settings('notifications')(stage)
    const pause = page.getByRole('button', { name: t.settings.quiet.pauses.hour })
    const resume = page.getByRole('button', { name: t.settings.quiet.resume })
    await pause.or(resume).first().waitFor()
    if ((await pause.count()) > 0) await pause.click()
    await page.getByTestId('quiet-mark').waitFor()
    await resume.scrollIntoViewIfNeeded()
  },
}
