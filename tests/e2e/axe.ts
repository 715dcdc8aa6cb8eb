import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const optionsOf = {
  // It takes a label that is scrolled out of sight for none.
  everything: { rules: { 'label-title-only': { enabled: false } } },
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const satisfies Record<string, RunOptions>

/** What axe finds, one line for each element. It runs in the page itself, which is all there is: no frame is in it. */
export async function findings(page: Page, of: keyof typeof optionsOf = 'everything'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (options): Promise<AxeResults> =>
      // Put there by its own source.
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        ...options,
        resultTypes: ['violations'],
      }),
    optionsOf[of],
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all, none }) =>
        `${id}: ${html.slice(0, 160)} ${[...any, ...all, ...none].map(({ message }) => message).join(' ')}`,
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
  await show('light')
  const light = await findings(page)
  await show('dark')
  // Only colours differ between themes.
  const dark = await findings(page, 'colours')
  await show(before)
  return [...light.map((one) => `light ${one}`), ...dark.map((one) => `dark ${one}`)]
}
