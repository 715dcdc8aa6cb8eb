import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { lineScaleOf, textScaleOf } from './text-scale.ts'

const remembered = 'dunlin-theme'
const darkScheme = matchMedia('(prefers-color-scheme: dark)')

/** The theme as of the last time, before anything is known; so that the first paint has the right colours. */
export function applyRememberedTheme(): void {
  document.documentElement.dataset['theme'] =
    localStorage.getItem(remembered) ?? (darkScheme.matches ? 'dark' : 'light')
}

/**
 * Shows how the person wants the window to look, from this device's choices and the account's; follows the system's
 * theme until the returned function is called.
 */
export function applyAppearance(
  device: DeviceSettings | undefined,
  account: AccountSettings | undefined,
): (() => void) | undefined {
  const { dataset, style } = document.documentElement
  if (device !== undefined) {
    dataset['density'] = device.density
    if (device.reducedMotion === 'always') dataset['motion'] = 'reduced'
    else delete dataset['motion']
  }
  if (account !== undefined) {
    const { text, ui } = textScaleOf(account.fontSize)
    style.setProperty('--scale-text', text.toFixed(3))
    style.setProperty('--scale-ui', ui.toFixed(3))
    style.setProperty('--scale-line', lineScaleOf(account.lineHeight).toFixed(3))
    if (account.highContrast) dataset['contrast'] = 'more'
    else delete dataset['contrast']
    if (account.fluidWidth) dataset['width'] = 'whole'
    else delete dataset['width']
  }
  const wish = device === undefined ? null : device.theme !== 'account' ? device.theme : account?.colorScheme
  if (wish === null || wish === undefined) return undefined
  const show = () => {
    const theme = wish === 'dark' || (wish !== 'light' && darkScheme.matches) ? 'dark' : 'light'
    dataset['theme'] = theme
    localStorage.setItem(remembered, theme)
  }
  show()
  darkScheme.addEventListener('change', show)
  return () => darkScheme.removeEventListener('change', show)
}
