import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bridge, WatchOptions } from '../../src-shared/bridge/connect.ts'
import type { Failure } from '../../src-shared/failure.ts'
import type { Feed } from '../../src-shared/model/feed.ts'
import { openingSpan } from '../../src-renderer/views/feed/feed-span.ts'
import { prefetch, takePrefetch } from '../../src-renderer/views/feed/feed-prefetch.ts'

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

const unheard = () => {}

const params = { accountId: 'a', narrow: { kind: 'channel', channelId: 7 }, ...openingSpan(null) }

describe('a prefetched feed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
  })

  test('is there when it opens, and stays up to date', async () => {
    const { bridge, open } = bridgeOfWatches()
    prefetch(bridge, '#/a/channel/7')
    expect(open.map((one) => one.params)).toEqual([params])
    open[0]?.update(answer(1))
    open[0]?.update(answer(2))
    const heard: Feed[] = []
    const stop = takePrefetch(params as never, (feed) => heard.push(feed), unheard)
    // Not before the caller can stop the watch.
    expect(heard).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual([answer(2)])
    vi.advanceTimersByTime(60_000)
    open[0]?.update(answer(3))
    expect(heard).toEqual([answer(2), answer(3)])
    stop?.()
    expect(open).toEqual([])
  })

  test('delivers nothing after it was stopped', async () => {
    const { bridge, open } = bridgeOfWatches()
    prefetch(bridge, '#/a/channel/7')
    open[0]?.update(answer(1))
    const heard: Feed[] = []
    takePrefetch(params as never, (feed) => heard.push(feed), unheard)?.()
    await Promise.resolve()
    expect(heard).toEqual([])
  })

  test('says why it could not be read, whenever that is known', async () => {
    const failure = { kind: 'bug', message: 'no such column' } as const
    const bridge = {
      watch: (_name: string, _params: unknown, _update: unknown, own: WatchOptions) => {
        fail = () => own.onFailure?.(failure)
        return () => {}
      },
    } as unknown as Bridge
    let fail = () => {}
    const heard: Failure[] = []
    prefetch(bridge, '#/a/channel/7')
    fail()
    takePrefetch(
      params as never,
      () => {},
      (one) => heard.push(one),
    )
    await Promise.resolve()
    expect(heard).toEqual([failure])
    prefetch(bridge, '#/a/channel/7')
    takePrefetch(
      params as never,
      () => {},
      (one) => heard.push(one),
    )
    fail()
    expect(heard).toEqual([failure, failure])
  })

  test('is taken once, and only for the same feed', () => {
    const { bridge } = bridgeOfWatches()
    const hear = () => {}
    prefetch(bridge, '#/a/channel/8')
    expect(takePrefetch(params as never, hear, unheard)).toBe(null)
    prefetch(bridge, '#/a/channel/7?near=12')
    expect(takePrefetch(params as never, hear, unheard)).toBe(null)
    prefetch(bridge, '#/a/channel/7')
    expect(takePrefetch(params as never, hear, unheard)).not.toBe(null)
    expect(takePrefetch(params as never, hear, unheard)).toBe(null)
  })

  test('is dropped when no click follows, and when another link is pressed', () => {
    const { bridge, open } = bridgeOfWatches()
    prefetch(bridge, '#/a/channel/7')
    prefetch(bridge, '#/a/inbox')
    expect(open).toEqual([])
    prefetch(bridge, '#/a/channel/7')
    expect(open).toHaveLength(1)
    vi.advanceTimersByTime(1_000)
    expect(open).toEqual([])
    expect(takePrefetch(params as never, () => {}, unheard)).toBe(null)
  })
})
