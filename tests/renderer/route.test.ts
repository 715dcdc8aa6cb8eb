import { afterEach, expect, test, vi } from 'vitest'
import fc from 'fast-check'
import { accountId, channelId, messageId } from '../../src-shared/ids.ts'
import {
  addressOf,
  allPages,
  route,
  routeFrom,
  type Route,
} from '../../src-renderer/state/navigation/route.svelte.ts'

const place = (view: 'inbox' | 'recent' | 'drafts' | 'scheduled'): Route => ({
  view,
  accountId: accountId('1'),
})
/** A place that is found once it is said to be. */
function later() {
  let resolve: (found: Route) => void = () => {}
  const promise = new Promise<Route>((done) => (resolve = done))
  return { promise, resolve: (found: Route) => resolve(found) }
}
const hashOf = (where: Route) => `#${addressOf(where)}`

afterEach(() => vi.unstubAllGlobals())

test('a place that has to be found is gone to once it is, unless the person went elsewhere meanwhile', async () => {
  const location = { hash: hashOf(place('inbox')) }
  vi.stubGlobal('location', location)
  await route.goOnceFound(Promise.resolve(place('recent')))
  expect(location.hash).toBe(addressOf(place('recent')))

  location.hash = hashOf(place('inbox'))
  const going = route.goOnceFound(Promise.resolve(place('recent')))
  location.hash = hashOf(place('drafts'))
  await going
  expect(location.hash).toBe(hashOf(place('drafts')))

  // Of two that are looked for, the later one counts, whichever is found first.
  const found = later()
  const late = route.goOnceFound(found.promise)
  const last = route.goOnceFound(Promise.resolve(place('scheduled')))
  found.resolve(place('recent'))
  await Promise.all([late, last])
  expect(location.hash).toBe(addressOf(place('scheduled')))
  const slow = later()
  const first = route.goOnceFound(Promise.resolve(place('recent')))
  const second = route.goOnceFound(slow.promise)
  await first
  slow.resolve(place('inbox'))
  await second
  expect(location.hash).toBe(addressOf(place('inbox')))
})

test('the open feed hears of a link to the message in its address, which changes no address', () => {
  const linked = (near: number | null): Route => ({
    view: 'feed',
    accountId: accountId('1'),
    narrow: { kind: 'topic', channelId: channelId(1), topic: 'what’s (up) *now*' },
    near: near === null ? null : messageId(near),
  })
  const location = { hash: hashOf(linked(7)) }
  vi.stubGlobal('location', location)
  const hear = vi.fn<() => void>()
  const stop = route.whenAgain(hear)
  route.go(linked(7))
  expect(hear).toHaveBeenCalledTimes(1)
  route.go(linked(8))
  expect(location.hash).toBe(addressOf(linked(8)))
  location.hash = hashOf(linked(null))
  route.go(linked(null))
  stop()
  location.hash = hashOf(linked(7))
  route.go(linked(7))
  expect(hear).toHaveBeenCalledTimes(1)
})

test.each([
  '#/a1/channel/1/topic/%E0%A4%A',
  '#/a1/channel/1/topic/%',
  '#/a1/channel/x/topic/y',
  '#/a1/channel/1.5',
  '#/a1/channel/NaN/topics',
  '#/a1/channel/99999999999999999999',
  '#/a1/direct/7,x',
  '#/a1/reactions/x',
  '#/a1/nowhere',
  '#/a1',
  '#%',
])('an address that nobody can have been given is no place: %s', (hash) => {
  expect(routeFrom(hash)).toBe(null)
})

test('every page over all organizations has an address of its own; an unknown one is their inbox', () => {
  for (const page of allPages) {
    const place: Route = { view: 'all', page }
    expect(routeFrom(hashOf(place))).toEqual(place)
  }
  expect(new Set(allPages.map((page) => hashOf({ view: 'all', page }))).size).toBe(allPages.length)
  expect(hashOf({ view: 'all', page: 'inbox' })).toBe('#/all')
  expect(routeFrom('#/all/elsewhere')).toEqual({ view: 'all', page: 'inbox' })
})

test('no message is near when its number cannot be read', () => {
  expect(routeFrom('#/a1/combined?near=x')).toEqual({
    view: 'feed',
    accountId: accountId('a1'),
    narrow: { kind: 'combined' },
    near: null,
  })
})

test('whatever the address bar holds, reading it throws nothing', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '#',
      '/',
      '?',
      '&',
      '=',
      '%',
      '%E0%A4%A',
      'a1',
      'channel',
      'topic',
      '1',
      'near',
      'direct',
    ),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const found = routeFrom(pieces.join(''))
      if (found !== null) expect(routeFrom(addressOf(found))?.view).toBe(found.view)
    }),
  )
})

test('every topic and every text has an address that leads back to it, unpaired surrogates replaced', () => {
  // Any sixteen bits, paired or not.
  const text = fc
    .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })))
    .map((units) => String.fromCharCode(...units))
  const own = { accountId: accountId('a1') }
  fc.assert(
    fc.property(text, (raw) => {
      const feed = (topic: string): Route => ({
        view: 'feed',
        ...own,
        narrow: { kind: 'topic', channelId: channelId(1), topic },
        near: messageId(7),
      })
      const search = (words: string): Route => ({ view: 'search', ...own, text: words })
      const settings = (row: string): Route => ({ view: 'settings', ...own, page: 'appearance', row })
      for (const place of [feed, search, settings])
        expect(routeFrom(`#${addressOf(place(raw))}`)).toEqual(place(raw.toWellFormed()))
    }),
  )
})
