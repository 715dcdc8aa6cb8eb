import { render } from 'svelte/server'
import { connectBridge } from '../src-shared/bridge/connect.ts'
import type { FirstPicture, OpeningAnswer } from '../src-shared/bridge/opening.ts'
import { speak, t } from '../src-shared/texts/texts.ts'
import App from './App.svelte'
import { lookOf } from './state/theme.ts'

/** A port over which nothing comes: what a picture shows is known before it is drawn. */
const silent = { send: () => {}, onMessage: () => () => {}, onClose: () => () => {} }

/**
 * The window at its first place as HTML, from what it opens with; the window takes that over as its own (`main.ts`).
 * Null where that is not the inbox of somebody who is signed in. Runs in the host, where there is no page: what needs
 * one, waits for the window.
 */
export async function drawFirstPicture(opening: readonly OpeningAnswer[]): Promise<FirstPicture | null> {
  const bridge = connectBridge(silent, opening)
  const device = bridge.opening('device-settings', {})?.value
  const accountId = bridge.opening('accounts', {})?.value[0]?.id
  if (device === undefined || accountId === undefined) return null
  if (bridge.opening('inbox', { accountId, filter: 'all' }) === null) return null
  await speak(device.spokenLanguage)
  const { data, style } = lookOf(device, bridge.opening('account-settings', { accountId })?.value)
  const attributes = {
    lang: t.locale,
    dir: t.direction,
    'data-language': device.spokenLanguage,
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value])),
    style: Object.entries(style)
      .filter(([, value]) => value !== null)
      .map((pair) => pair.join(': '))
      .join('; '),
  }
  return { attributes, body: render(App, { props: { bridge } }).body }
}
