import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { Feed } from '../../src-shared/bridge/queries.ts'
import { openingSpan } from '../../src-renderer/views/feed/feed-span.ts'
import { askFor, goOnWith } from '../../src-renderer/views/feed/pressed-feed.ts'

const answer = (anchorId: number) => ({ anchorId, messages: [] }) as unknown as Feed

/** A bridge that answers when it is told to. */
function bridgeOfWatches() {
  const open: { params: unknown; update(feed: Feed): void }[] = []
  const bridge = {
    watch(_name: string, params: unknown, update: (feed: Feed) => void) {
      const own = { params, update }
      open.push(own)
      return () => void open.splice(open.indexOf(own), 1)
    },
  } as unknown as Bridge
  return { bridge, open }
}

const params = { accountId: 'a', narrow: { kind: 'channel', channelId: 7 }, ...openingSpan(null) }

describe('a feed whose link is pressed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
  })

  test('is there when it opens, and goes on', async () => {
    const { bridge, open } = bridgeOfWatches()
    askFor(bridge, '#/a/channel/7')
    expect(open.map((one) => one.params)).toEqual([params])
    open[0]?.update(answer(1))
    open[0]?.update(answer(2))
    const heard: Feed[] = []
    const stop = goOnWith(params as never, (feed) => heard.push(feed))
    // Not before who asks knows how to stop.
    expect(heard).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual([answer(2)])
    vi.advanceTimersByTime(60_000)
    open[0]?.update(answer(3))
    expect(heard).toEqual([answer(2), answer(3)])
    stop?.()
    expect(open).toEqual([])
  })

  test('tells nothing to whom it no longer concerns', async () => {
    const { bridge, open } = bridgeOfWatches()
    askFor(bridge, '#/a/channel/7')
    open[0]?.update(answer(1))
    const heard: Feed[] = []
    goOnWith(params as never, (feed) => heard.push(feed))?.()
    await Promise.resolve()
    expect(heard).toEqual([])
  })

  test('is given once, and only for what was asked', () => {
    const { bridge } = bridgeOfWatches()
    const hear = () => {}
    askFor(bridge, '#/a/channel/8')
    expect(goOnWith(params as never, hear)).toBe(null)
    askFor(bridge, '#/a/channel/7?near=12')
    expect(goOnWith(params as never, hear)).toBe(null)
    askFor(bridge, '#/a/channel/7')
    expect(goOnWith(params as never, hear)).not.toBe(null)
    expect(goOnWith(params as never, hear)).toBe(null)
  })

  test('is let go when no click follows, and when another link is pressed', () => {
    const { bridge, open } = bridgeOfWatches()
    askFor(bridge, '#/a/channel/7')
    askFor(bridge, '#/a/inbox')
    expect(open).toEqual([])
    askFor(bridge, '#/a/channel/7')
    expect(open).toHaveLength(1)
    vi.advanceTimersByTime(1_000)
    expect(open).toEqual([])
    expect(goOnWith(params as never, () => {})).toBe(null)
  })
})
