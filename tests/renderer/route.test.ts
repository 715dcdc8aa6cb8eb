import { afterEach, expect, test, vi } from 'vitest'
import { accountId } from '../../src-shared/ids.ts'
import { addressOf, route, type Route } from '../../src-renderer/state/route.svelte.ts'

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
