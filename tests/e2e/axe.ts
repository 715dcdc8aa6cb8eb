import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe finds, one line for each element. Only colours differ between themes, so only they are looked at twice. */
async function findings(page: Page, theme: string): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
  // It takes a label that is scrolled out of sight for none.
  else axe.disableRules(['label-title-only'])
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all, none }) =>
        `${theme} ${id}: ${html.slice(0, 160)} ${[...any, ...all, ...none].map(({ message }) => message).join(' ')}`,
    ),
  )
}

/** What axe finds in either theme under every rule; the theme is what it was afterwards. */
export async function findingsInBothThemes(page: Page): Promise<string[]> {
  const show = (theme: string | undefined) =>
    page.evaluate((name) => {
      document.documentElement.dataset['theme'] = name ?? 'light'
    }, theme)
  const before = await page.evaluate(() => document.documentElement.dataset['theme'])
  const found: string[] = []
  for (const theme of ['light', 'dark']) {
    await show(theme)
    found.push(...(await findings(page, theme)))
  }
  await show(before)
  return found
}
