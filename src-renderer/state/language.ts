import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'
import { languageFor, speak, t, type Language } from '../../src-shared/texts/texts.ts'

// public/early.js reads it before the first paint.
const remembered = 'dunlin-language'

let spoken: Language = 'en'
/** Whether the main process was told what this window speaks; once, or two windows would overrule each other. */
let isTold = false

/**
 * Speaks the language of the last time, before anything is known, else that of the first picture; at first the system's.
 * Called before the mount.
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
 * Speaks the language that the person wants, from this device's choice and the account's: loads the window again. The
 * account is undefined while it is not known, and null where nobody is signed in: what is spoken goes on then.
 */
export async function applyLanguage(
  bridge: Bridge,
  device: DeviceSettings | undefined,
  account: AccountSettings | undefined | null,
): Promise<void> {
  if (device === undefined || (device.language === 'account' && account === undefined)) return
  const wish = device.language === 'account' ? (account?.language ?? spoken) : device.language
  const wanted = languageFor(wish === 'system' ? navigator.languages : [wish])
  localStorage.setItem(remembered, wanted)
  if (isTold && wanted === spoken) return
  isTold = true
  if (wanted !== device.spokenLanguage) {
    await bridge.call('set-device-setting', { settings: { spokenLanguage: wanted } })
  }
  if (wanted !== spoken) location.reload()
}
