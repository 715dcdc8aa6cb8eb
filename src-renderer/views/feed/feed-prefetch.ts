import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ParamsOf } from '../../../src-shared/bridge/queries.ts'
import type { Failure } from '../../../src-shared/failure.ts'
import type { Feed } from '../../../src-shared/model/feed.ts'
import { routeFrom } from '../../state/navigation/route.svelte.ts'
import { openingSpan } from './feed-span.ts'

/** How long a prefetched feed is kept after the press, in milliseconds: longer than a person takes to click. */
const keptMs = 1_000

interface Prefetch {
  readonly params: string
  readonly timer: ReturnType<typeof setTimeout>
  answer: Feed | null
  failure: Failure | null
  hear(feed: Feed): void
  fail(failure: Failure): void
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
    failure: null,
    hear: (feed) => (own.answer = feed),
    fail: (failure) => (own.failure = failure),
    stop: bridge.watch('feed', params, (feed) => own.hear(feed), {
      onFailure: (failure) => own.fail(failure),
    }),
  }
  current = own
}

/**
 * Takes over the watch of `prefetch`, until the returned function is called. What is already here, an answer or why
 * there is none, is delivered in a microtask, the rest as it arrives. Null if this feed was not prefetched.
 */
export function takePrefetch(
  params: ParamsOf<'feed'>,
  onFeed: (feed: Feed) => void,
  onFailure: (failure: Failure) => void,
): (() => void) | null {
  const own = current
  if (own === null || own.params !== JSON.stringify(params)) return null
  clearTimeout(own.timer)
  current = null
  let isOver = false
  own.hear = onFeed
  own.fail = onFailure
  queueMicrotask(() => {
    if (isOver) return
    if (own.answer !== null) onFeed(own.answer)
    if (own.failure !== null) onFailure(own.failure)
  })
  return () => {
    isOver = true
    own.stop()
  }
}
