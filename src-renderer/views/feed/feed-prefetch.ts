import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'
import type { Feed } from '../../../src-shared/model/feed.ts'
import { routeFrom } from '../../state/navigation/route.svelte.ts'
import { openingSpan } from './feed-span.ts'

/** How long a prefetched feed is kept after the press, in milliseconds: longer than a person takes to click. */
const keptMs = 1_000

interface Prefetch {
  readonly params: string
  readonly timer: ReturnType<typeof setTimeout>
  answer: Feed | null
  hear(feed: Feed): void
  stop(): void
}

let current: Prefetch | null = null

/** Drops the prefetched feed, if there is one. */
export function dropPrefetch(): void {
  if (current === null) return
  clearTimeout(current.timer)
  current.stop()
  current = null
}

/** Starts to watch the feed that an address leads to; does nothing if it leads elsewhere. */
export function prefetch(bridge: Bridge, address: string): void {
  dropPrefetch()
  const to = routeFrom(address)
  if (to?.view !== 'feed') return
  const params = { accountId: to.accountId, narrow: to.narrow, ...openingSpan(to.near) }
  const own: Prefetch = {
    params: JSON.stringify(params),
    timer: setTimeout(dropPrefetch, keptMs),
    answer: null,
    hear: (feed) => (own.answer = feed),
    stop: bridge.watch('feed', params, (feed) => own.hear(feed)),
  }
  current = own
}

/**
 * Takes over the watch of `prefetch`, until the returned function is called. An answer that is already here is
 * delivered in a microtask, later ones as they arrive. Null if this feed was not prefetched.
 */
export function takePrefetch(params: ParamsOf<'feed'>, onFeed: (feed: Feed) => void): (() => void) | null {
  const own = current
  if (own === null || own.params !== JSON.stringify(params)) return null
  clearTimeout(own.timer)
  current = null
  let isOver = false
  own.hear = onFeed
  queueMicrotask(() => {
    if (!isOver && own.answer !== null) onFeed(own.answer)
  })
  return () => {
    isOver = true
    own.stop()
  }
}
