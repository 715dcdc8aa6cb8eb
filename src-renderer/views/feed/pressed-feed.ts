import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Feed, ParamsOf } from '../../../src-shared/bridge/queries.ts'
import { routeFrom } from '../../state/route.svelte.ts'
import { openingSpan } from './feed-span.ts'

/** For how long what was asked for is kept, from the press on: longer than a hand takes for a click. Milliseconds. */
const keptMs = 1_000

interface Asked {
  readonly params: string
  readonly timer: ReturnType<typeof setTimeout>
  answer: Feed | null
  hear(feed: Feed): void
  stop(): void
}

let asked: Asked | null = null

/** Nothing is kept for a click any more. */
export function letGo(): void {
  if (asked === null) return
  clearTimeout(asked.timer)
  asked.stop()
  asked = null
}

/** Asks for the feed that an address leads to; for nothing when it leads elsewhere. */
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
 * Goes on with what was asked for when the link was pressed, until the returned function is called: with the answer
 * that is here already, in a moment of its own, and with every later one. Null when something else was asked for.
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
