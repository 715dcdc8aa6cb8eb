import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import type { DeviceSettings } from '../../../src-shared/bridge/settings.ts'
import { lineScaleOf, textScaleOf } from './text-scale.ts'

// public/early.js reads it before the first paint.
const remembered = 'dunlin-theme'

/** A window's appearance, as data attributes and styles of its root element; null removes one. */
interface Look {
  readonly data: Readonly<Record<string, string | null>>
  readonly style: Readonly<Record<string, string | null>>
}

const pixels = (width: number | null) => (width === null ? null : `${width}px`)

/** The appearance that the person chose, except for the theme; settings that are not known yet stay as they are. */
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
            // Google's older emoji set is not available as a font. Names are text, and emoji outside of messages,
            // such as in a topic's name, are drawn in any case.
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
 * Applies the person's appearance settings of this device and the account; follows the system's theme until the
 * returned function is called.
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
  const preference =
    device === undefined ? null : device.theme !== 'account' ? device.theme : account?.colorScheme
  if (preference === null || preference === undefined) return undefined
  const darkScheme = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const theme = preference === 'dark' || (preference !== 'light' && darkScheme.matches) ? 'dark' : 'light'
    dataset['theme'] = theme
    localStorage.setItem(remembered, theme)
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
    if (meta !== null) meta.content = meta.dataset[theme] ?? meta.content
  }
  show()
  darkScheme.addEventListener('change', show)
  return () => darkScheme.removeEventListener('change', show)
}
