import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { Watched } from './watched.svelte.ts'

const watches = new WeakMap<Bridge, Map<string, Watched<'emoji'>>>()

/**
 * The picture of an organization's own emoji; null if it has none of that name, or while that is unknown. Read it where
 * it is drawn: the many lines that ask share one watch.
 */
export function pictureOfEmoji(bridge: Bridge, accountId: string, name: string): string | null {
  const own = watches.get(bridge) ?? new Map<string, Watched<'emoji'>>()
  watches.set(bridge, own)
  const watch = own.get(accountId) ?? new Watched(bridge, 'emoji', { accountId })
  own.set(accountId, watch)
  return watch.current?.organization.find(({ emoji }) => emoji.name === name)?.imageUrl ?? null
}
