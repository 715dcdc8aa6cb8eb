import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import { accountId as asAccountId, type ChannelId } from '../../src-shared/ids.ts'
import { useBridge } from './bridge.ts'
import { useReaderSettings } from './reader-settings.ts'
import { route } from './route.svelte.ts'
import { toasts } from './toast.svelte.ts'

/** How channels are opened from wherever they are named. */
export interface ChannelOpening {
  /** Where the person wants it to lead. */
  readonly wish: AccountSettings['channelView']
  /** Opens a channel there. */
  open(channelId: ChannelId): void
  /** Takes a click on a link to a channel there, unless the click is for the browser. */
  click(event: MouseEvent, channelId: ChannelId): void
}

/** The one way of opening a channel of the account; only while a component is being made. */
export function useChannelOpening(accountId: () => string): ChannelOpening {
  const bridge = useBridge()
  const settings = useReaderSettings()
  const wish = () => settings()?.channelView ?? 'feed'
  function open(channelId: ChannelId) {
    const own = asAccountId(accountId())
    const wanted = wish()
    if (wanted === 'feed') {
      route.go({ view: 'feed', accountId: own, narrow: { kind: 'channel', channelId }, near: null })
      return
    }
    // The window's first picture does not need it.
    const place = import('./open-by-wish.ts').then(({ placeByWish }) =>
      placeByWish(bridge, { accountId: own, channelId, wish: wanted }),
    )
    route.goOnceFound(place).catch((error: unknown) => toasts.failed(error))
  }
  return {
    get wish() {
      return wish()
    },
    open,
    click(event, channelId) {
      const isForBrowser = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0
      if (isForBrowser || wish() === 'feed') return
      event.preventDefault()
      open(channelId)
    },
  }
}
