import { afterEach, expect, test, vi } from 'vitest'
import { accountId } from '../../src-shared/ids.ts'
import { addressOf, route, type Route } from '../../src-renderer/state/route.svelte.ts'

const place = (view: 'inbox' | 'recent' | 'drafts'): Route => ({ view, accountId: accountId('1') })
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
})
