import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import type { DeviceSettings } from '../../../src-shared/bridge/settings.ts'
import { languageFor, speak, t, type Language } from '../../../src-shared/texts/texts.ts'

// public/early.js reads it before the first paint.
const remembered = 'dunlin-language'

let spoken: Language = 'en'
/**
 * Whether the main process was told this window's language. It is told once, or two windows would overrule each other.
 */
let isTold = false

/**
 * Sets the language before anything is known: the last one used, else that of the first picture, else the system's.
 * Call it before mounting.
 */
export async function speakRemembered(): Promise<void> {
  const { dataset } = document.documentElement
  const last = localStorage.getItem(remembered) ?? dataset['language'] ?? null
  spoken = languageFor(last === null ? navigator.languages : [last])
  await speak(spoken)
  document.documentElement.lang = t.locale
  document.documentElement.dir = t.direction
}

/**
 * Switches to the language that the person wants, according to this device's setting and the account's, by reloading
 * the window. The account is undefined while it is unknown, and null if nobody is signed in; then the language stays.
 */
export async function applyLanguage(
  bridge: Bridge,
  device: DeviceSettings | undefined,
  account: AccountSettings | undefined | null,
): Promise<void> {
  if (device === undefined || (device.language === 'account' && account === undefined)) return
  const preference = device.language === 'account' ? (account?.language ?? spoken) : device.language
  const wanted = languageFor(preference === 'system' ? navigator.languages : [preference])
  localStorage.setItem(remembered, wanted)
  if (isTold && wanted === spoken) return
  isTold = true
  if (wanted !== device.spokenLanguage) {
    await bridge.call('set-device-setting', { settings: { spokenLanguage: wanted } })
  }
  if (wanted !== spoken) location.reload()
}
