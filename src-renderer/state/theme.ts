import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { lineScaleOf, textScaleOf } from './text-scale.ts'

// public/early.js reads it before the first paint.
const remembered = 'dunlin-theme'

/** How a window looks, as the data and style of its root; null takes something away. */
interface Look {
  readonly data: Readonly<Record<string, string | null>>
  readonly style: Readonly<Record<string, string | null>>
}

const pixels = (width: number | null) => (width === null ? null : `${width}px`)

/** How the person wants the window to look, but for the theme; what is not known yet stays as it is. */
export function lookOf(device: DeviceSettings | undefined, account: AccountSettings | undefined): Look {
  const { text, ui } = textScaleOf(account?.fontSize ?? 16)
  return {
    data: {
      ...(device === undefined
        ? {}
        : {
            density: device.density,
            motion: device.reducedMotion === 'always' ? 'reduced' : null,
          }),
      ...(account === undefined
        ? {}
        : {
            contrast: account.highContrast ? 'more' : null,
            width: account.fluidWidth ? 'whole' : null,
            // Google's earlier drawings are not to be had as a font; names are letters, and what is no emoji of a
            // message, like a sign in a topic's name, is drawn in any case.
            emoji: account.emojiSet === 'twitter' ? 'twitter' : null,
          }),
    },
    style: {
      ...(account === undefined
        ? {}
        : {
            '--scale-text': text.toFixed(3),
            '--scale-ui': ui.toFixed(3),
            '--scale-line': lineScaleOf(account.lineHeight).toFixed(3),
          }),
      ...(device === undefined
        ? {}
        : {
            '--size-sidebar': pixels(device.sidebarWidth),
            '--size-people': pixels(device.peopleWidth),
          }),
    },
  }
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
  const look = lookOf(device, account)
  for (const [name, value] of Object.entries(look.data)) {
    if (value === null) delete dataset[name]
    else dataset[name] = value
  }
  for (const [name, value] of Object.entries(look.style)) style.setProperty(name, value)
  const wish = device === undefined ? null : device.theme !== 'account' ? device.theme : account?.colorScheme
  if (wish === null || wish === undefined) return undefined
  const darkScheme = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const theme = wish === 'dark' || (wish !== 'light' && darkScheme.matches) ? 'dark' : 'light'
    dataset['theme'] = theme
    localStorage.setItem(remembered, theme)
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
    if (meta !== null) meta.content = meta.dataset[theme] ?? meta.content
  }
  show()
  darkScheme.addEventListener('change', show)
  return () => darkScheme.removeEventListener('change', show)
}
