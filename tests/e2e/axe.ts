import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const optionsOf = {
  // The rule does not accept a label that is scrolled out of view.
  everything: { rules: { 'label-title-only': { enabled: false } } },
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const satisfies Record<string, RunOptions>

/** Parts beside most screens that stay the same and take half of the time to check. */
const sides = 'nav.sb .sr, nav.sb .sh, aside.pp'

/**
 * The findings of axe, one line per element. axe runs in the page itself, which has no frames. Parts beside the screen
 * are left out if they have not changed since a check without findings.
 */
export async function findings(page: Page, of: keyof typeof optionsOf = 'everything'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    async ({ of, options, sides }): Promise<AxeResults> => {
      // axe's own source defines it, and earlier checks keep their results here.
      const own = window as unknown as { axe: typeof axe; clean?: Set<string> }
      const clean = (own.clean ??= new Set())
      const { theme, contrast } = document.documentElement.dataset
      const look = (side: Element) => [of, theme, contrast, innerWidth, side.outerHTML].join(' ')
      const found = [...document.querySelectorAll(sides)]
      const exclude = found.filter((side) => clean.has(look(side)))
      const results = await own.axe.run(
        { include: [document], exclude },
        { ...options, resultTypes: ['violations'] },
      )
      if (results.violations.length === 0) for (const side of found) clean.add(look(side))
      return results
    },
    { of, options: optionsOf[of], sides },
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all, none }) =>
        `${id}: ${html.slice(0, 160)} ${[...any, ...all, ...none].map(({ message }) => message).join(' ')}`,
    ),
  )
}

/** Shows the page in a theme; returns how it looked before. */
const show = (page: Page, look: { readonly theme?: string; readonly contrast?: string }) =>
  page.evaluate((wanted) => {
    const { dataset } = document.documentElement
    const { theme = 'light', contrast } = dataset
    dataset['theme'] = wanted.theme ?? theme
    if (wanted.contrast === undefined) delete dataset['contrast']
    else dataset['contrast'] = wanted.contrast
    return contrast === undefined ? { theme } : { theme, contrast }
  }, look)

/** The findings of axe in both themes under every rule; restores the theme afterwards. */
export async function findingsInBothThemes(page: Page): Promise<string[]> {
  const before = await show(page, { theme: 'light' })
  const light = await findings(page)
  await show(page, { theme: 'dark' })
  // Only colours differ between themes.
  const dark = await findings(page, 'colours')
  await show(page, before)
  return [...light.map((one) => `light ${one}`), ...dark.map((one) => `dark ${one}`)]
}

/** The findings about colours in a theme with more contrast; restores the look afterwards. */
export async function findingsWithMoreContrast(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  const before = await show(page, { theme, contrast: 'more' })
  const found = await findings(page, 'colours')
  await show(page, before)
  return found.map((one) => `${theme} with more contrast ${one}`)
}
