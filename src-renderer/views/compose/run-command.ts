import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { once } from '../../state/data/once.ts'
import { toasts } from '../../state/toast.svelte.ts'
import type { CommandName } from './known-words.ts'

const schemes: { readonly [N in CommandName]?: 'dark' | 'light' } = {
  dark: 'dark',
  night: 'dark',
  light: 'light',
  day: 'light',
}

/** Runs a command and shows a toast about it, also if it failed. Never rejects. */
export async function runCommand(name: CommandName, bridge: Bridge, accountId: string): Promise<void> {
  const scheme = schemes[name]
  try {
    if (scheme !== undefined) {
      const { theme } = await once(bridge, 'device-settings', {})
      // A theme that was chosen for this computer alone is the one that applies here.
      const action = { name: 'update-setting', property: 'colorScheme', value: scheme } as const
      const change = theme === 'account' ? await bridge.call('act', { accountId, action }) : null
      if (change === null) await bridge.call('set-device-setting', { settings: { theme: scheme } })
      toasts.show({
        words: t.compose.commandDone[scheme],
        undo: null,
        change: change && { accountId, ...change },
      })
    } else if (name === 'ping') {
      const { ms } = await bridge.call('ping', { accountId })
      toasts.show({ words: t.compose.commandDone.ping(ms), undo: null })
    }
  } catch (error) {
    toasts.failed(error)
  }
}
