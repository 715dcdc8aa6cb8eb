import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Feed } from '../../../src-shared/bridge/queries.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { failureText } from '../../state/failure-text.ts'
import { Watched } from '../../state/watched.svelte.ts'
import {
  grownNewer,
  grownOlder,
  newestSpan,
  oldestSpan,
  openingSpan,
  settled,
  type FeedSpan,
} from './feed-span.ts'

/**
 * The stretch of a narrow that a feed shows, and how it grows.
 *
 * 1. Only one stretch of bounded size is watched; growing at one end lets go of the other.
 * 2. What this device lacks is asked of the server once per place, and again only after it has given something.
 */
export class FeedLoader {
  /** Which end waits for the server now. */
  loading = $state.raw<'older' | 'newer' | null>(null)
  /** Why the server did not give what was asked of it; null when it did. */
  problem = $state.raw<string | null>(null)
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #narrow: Narrow
  #span: FeedSpan
  #feed: Watched<'feed'>
  /** Places at which the server had nothing more to give. */
  readonly #exhausted = new Set<string>()

  constructor(bridge: Bridge, accountId: string, narrow: Narrow, around: MessageId | null) {
    this.#bridge = bridge
    this.#accountId = accountId
    this.#narrow = narrow
    this.#span = $state.raw(openingSpan(around))
    this.#feed = $derived(new Watched(bridge, 'feed', { accountId, narrow, ...this.#span }))
  }

  /** Undefined while a stretch is on its way. */
  get current(): Feed | undefined {
    return this.#feed.current
  }

  /** The first answer of a stretch is on screen: from now on it is named by the id of a message. */
  settle(feed: Feed): void {
    this.#span = settled(this.#span, feed)
  }

  toNewest(): void {
    this.#span = newestSpan
  }

  toOldest(): void {
    this.#span = oldestSpan
  }

  toMessage(id: MessageId): void {
    this.#span = openingSpan(id)
  }

  /** The beginning of the feed came near; what comes after `last` is far out of view. */
  async showOlder(feed: Feed, last: MessageId | null, isOnline: boolean): Promise<void> {
    const first = feed.messages[0]?.id ?? null
    const grow = () => (this.#span = last === null ? newestSpan : grownOlder(feed.messages, last))
    if (feed.before === 'here') grow()
    else if (feed.before === 'on-server' && isOnline) {
      const loaded = await this.#ask('older', `before ${first}`, () =>
        this.#bridge.call('load-older', { accountId: this.#accountId, narrow: this.#narrow, before: first }),
      )
      if (loaded > 0) grow()
    }
  }

  /** The end of the feed came near; what comes before `first` is far out of view. */
  async showNewer(feed: Feed, first: MessageId, isOnline: boolean): Promise<void> {
    const last = feed.messages.at(-1)
    if (last === undefined) return
    if (feed.after === 'here') this.#span = grownNewer(feed.messages, first)
    else if (feed.after === 'on-server' && (await this.fillGap(last.id, isOnline)) > 0)
      this.#span = grownNewer(feed.messages, first)
  }

  /** Fetches what is missing after a message; answers how many messages came. */
  async fillGap(after: MessageId, isOnline: boolean): Promise<number> {
    if (!isOnline) return 0
    return this.#ask('newer', `after ${after}`, () =>
      this.#bridge.call('load-newer', { accountId: this.#accountId, narrow: this.#narrow, after }),
    )
  }

  /** A linked message that is not here: its surroundings. */
  async fetchAround(id: MessageId): Promise<void> {
    const place = { accountId: this.#accountId, narrow: this.#narrow }
    const loaded = await this.#ask('older', `around ${id}`, async () => {
      const older = await this.#bridge.call('load-older', { ...place, before: id })
      const newer = await this.#bridge.call('load-newer', { ...place, after: id })
      return { loaded: older.loaded + newer.loaded }
    })
    if (loaded > 0) this.#span = openingSpan(id)
  }

  /** What failed or gave nothing may be asked again: the connection is back, or the person says so. */
  retry(): void {
    this.#exhausted.clear()
    this.problem = null
  }

  async #ask(
    end: 'older' | 'newer',
    place: string,
    ask: () => Promise<{ readonly loaded: number }>,
  ): Promise<number> {
    if (this.loading !== null || this.#exhausted.has(place)) return 0
    this.loading = end
    this.#exhausted.add(place)
    try {
      const { loaded } = await ask()
      this.problem = null
      return loaded
    } catch (error) {
      this.problem = failureText(error)
      return 0
    } finally {
      this.loading = null
    }
  }
}
