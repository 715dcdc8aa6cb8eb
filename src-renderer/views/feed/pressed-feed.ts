import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Feed, ParamsOf } from '../../../src-shared/bridge/queries.ts'
import { routeFrom } from '../../state/route.svelte.ts'
import { openingSpan } from './feed-span.ts'

/** How long a requested feed is kept after the press, milliseconds: longer than a person takes to click. */
const keptMs = 1_000

interface Asked {
  readonly params: string
  readonly timer: ReturnType<typeof setTimeout>
  answer: Feed | null
  hear(feed: Feed): void
  stop(): void
}

let asked: Asked | null = null

/** Drops the feed that was requested for a click. */
export function letGo(): void {
  if (asked === null) return
  clearTimeout(asked.timer)
  asked.stop()
  asked = null
}

/** Requests the feed that an address leads to; does nothing if it leads elsewhere. */
export function askFor(bridge: Bridge, address: string): void {
  letGo()
  const to = routeFrom(address)
  if (to?.view !== 'feed') return
  const params = { accountId: to.accountId, narrow: to.narrow, ...openingSpan(to.near) }
  const own: Asked = {
    params: JSON.stringify(params),
    timer: setTimeout(letGo, keptMs),
    answer: null,
    hear: (feed) => (own.answer = feed),
    stop: bridge.watch('feed', params, (feed) => own.hear(feed)),
  }
  asked = own
}

/**
 * Takes over the watch that started when the link was pressed, until the returned function is called. An answer that is
 * already here is delivered in a microtask, later ones as they arrive. Null if another feed was requested.
 */
export function goOnWith(params: ParamsOf<'feed'>, onFeed: (feed: Feed) => void): (() => void) | null {
  const own = asked
  if (own === null || own.params !== JSON.stringify(params)) return null
  clearTimeout(own.timer)
  asked = null
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
