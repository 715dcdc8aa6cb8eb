import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'

const remembered = 'dunlin-theme'
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches

/** The theme as of the last time, before anything is known; so that the first paint has the right colours. */
export function applyRememberedTheme(): void {
  document.documentElement.dataset['theme'] =
    localStorage.getItem(remembered) ?? (systemIsDark() ? 'dark' : 'light')
}

/** Resolves the theme from this device's choice, the account's and the system's, and shows it. */
export function applyTheme(device: DeviceSettings | undefined, account: AccountSettings | undefined): void {
  if (device === undefined) return
  const wish = device.theme !== 'account' ? device.theme : account === undefined ? null : account.colorScheme
  if (wish === null) return
  const isDark = wish === 'dark' || (wish !== 'light' && systemIsDark())
  const theme = isDark ? 'dark' : 'light'
  document.documentElement.dataset['theme'] = theme
  document.documentElement.dataset['density'] = device.density
  localStorage.setItem(remembered, theme)
}
