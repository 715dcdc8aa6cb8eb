import { render } from 'svelte/server'
import { connectBridge } from '../src-shared/bridge/connect.ts'
import type { FirstPicture, OpeningAnswer } from '../src-shared/bridge/opening.ts'
import { speak, t } from '../src-shared/texts/texts.ts'
import App from './App.svelte'
import { lookOf } from './state/appearance/theme.ts'

/** A port without messages: everything that the picture shows is known before it is drawn. */
const silent = { send: () => {}, onMessage: () => () => {}, onClose: () => () => {} }

/**
 * Renders the window's first place to HTML, from the opening answers; the window then takes it over (`main.ts`). Null
 * unless that place is the inbox of a person who is signed in. It runs in the host, where there is no page, so anything
 * that needs a page waits for the window.
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
