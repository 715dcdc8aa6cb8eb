import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountId, ChannelId } from '../../../src-shared/ids.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { once } from '../../state/data/once.ts'
import { route } from '../../state/navigation/route.svelte.ts'
import { toasts } from '../../state/toast.svelte.ts'

/** The actions for the open channel, by name. */
export type ChannelAct = 'settle' | 'mute' | 'pin' | 'leave'

/**
 * Mutes or pins a channel, or undoes that; leaves it and offers to undo that, or asks first if the person could not join
 * again; or opens its settings.
 */
export async function actOnChannel(
  bridge: Bridge,
  accountId: AccountId,
  channelId: ChannelId,
  what: ChannelAct,
): Promise<void> {
  try {
    const known = await once(bridge, 'channel-settings', { accountId, channelId })
    if (known === null) return
    const { name, isMuted, isPinned, isSubscribed } = known.channel
    const set = (property: 'muted' | 'pinned', value: boolean) =>
      bridge.call('act', { accountId, action: { name: 'set-subscription', channelId, property, value } })
    if (what === 'mute') await set('muted', !isMuted)
    else if (what === 'pin') await set('pinned', !isPinned)
    else if (what === 'leave' && known.mayReturn) {
      const action = { name: 'unsubscribe', channelId } as const
      const { localId } = await bridge.call('act', { accountId, action })
      toasts.show({
        words: t.channels.left(name),
        undo: () => bridge.call('act', { accountId, action: { name: 'subscribe', channelId } }),
        change: { accountId, localId },
      })
    } else {
      const list = isSubscribed ? 'subscribed' : 'all'
      const tab = isSubscribed && what === 'settle' ? 'personal' : 'general'
      route.go({ view: 'channels', accountId, list, channelId, tab })
    }
  } catch (error) {
    toasts.failed(error)
  }
}
