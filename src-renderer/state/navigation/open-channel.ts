import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import { accountId as asAccountId, type ChannelId } from '../../../src-shared/ids.ts'
import { useBridge } from '../data/bridge.ts'
import { useReaderSettings } from '../appearance/reader-settings.ts'
import { route } from './route.svelte.ts'
import { toasts } from '../toast.svelte.ts'

/** How channels open, wherever they are named. */
export interface ChannelOpening {
  /** The place that it opens, by the person's preference. */
  readonly channelView: AccountSettings['channelView']
  /** Opens a channel at that place. */
  open(channelId: ChannelId): void
  /** Handles a click on a link to a channel in that way, unless the click is meant for the browser. */
  click(event: MouseEvent, channelId: ChannelId): void
}

/** The one way of opening channels of the account. Call it only while a component is being created. */
export function useChannelOpening(accountId: () => string): ChannelOpening {
  const bridge = useBridge()
  const settings = useReaderSettings()
  const channelView = () => settings()?.channelView ?? 'feed'
  function open(channelId: ChannelId) {
    const own = asAccountId(accountId())
    const wanted = channelView()
    if (wanted === 'feed') {
      route.go({ view: 'feed', accountId: own, narrow: { kind: 'channel', channelId }, near: null })
      return
    }
    // The first picture of the window does not need it.
    const place = import('./preferred-place.ts').then(({ preferredPlace }) =>
      preferredPlace(bridge, { accountId: own, channelId, channelView: wanted }),
    )
    route.goOnceFound(place).catch((error: unknown) => toasts.failed(error))
  }
  return {
    get channelView() {
      return channelView()
    },
    open,
    click(event, channelId) {
      const isForBrowser = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0
      if (isForBrowser || channelView() === 'feed') return
      event.preventDefault()
      open(channelId)
    },
  }
}
