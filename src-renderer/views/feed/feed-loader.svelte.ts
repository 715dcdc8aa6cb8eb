import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Feed } from '../../../src-shared/bridge/queries.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { failureText } from '../../state/failure-text.ts'
import {
  acrossHole,
  grownNewer,
  grownOlder,
  newestSpan,
  oldestSpan,
  openingSpan,
  settled,
  type FeedSpan,
} from './feed-span.ts'
import { goOnWith } from './pressed-feed.ts'

/** How many messages came. */
type Loaded = { readonly loaded: number }

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
  readonly #onFeed: (feed: Feed) => void
  #span: FeedSpan
  #stop = () => {}
  #isWaiting = true
  /** Never rejects. */
  #asking = Promise.resolve()
  /** Places at which the server had nothing more to give. */
  readonly #exhausted = new Set<string>()

  constructor(parts: {
    readonly bridge: Bridge
    readonly accountId: string
    readonly narrow: Narrow
    /** The message to open at; null: what is unread, or the end. */
    readonly around: MessageId | null
    /** Every answer; never called before `start` returned. */
    onFeed(feed: Feed): void
  }) {
    this.#bridge = parts.bridge
    this.#accountId = parts.accountId
    this.#narrow = parts.narrow
    this.#span = openingSpan(parts.around)
    this.#onFeed = (feed) => parts.onFeed(feed)
  }

  /** Watches until the returned function is called. */
  start(): () => void {
    this.#watch(this.#span)
    return () => this.#stop()
  }

  #watch(span: FeedSpan): void {
    this.#stop()
    this.#span = span
    this.#isWaiting = true
    const params = { accountId: this.#accountId, narrow: this.#narrow, ...span }
    const hear = (feed: Feed) => {
      this.#isWaiting = false
      this.#onFeed(feed)
    }
    this.#stop = goOnWith(params, hear) ?? this.#bridge.watch('feed', params, hear)
  }

  /** A stretch is on its way: another one is asked for only when it is here. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** The first answer of a stretch is on screen: from now on it is named by the id of a message. */
  settle(feed: Feed): void {
    const span = settled(this.#span, feed)
    if (span !== this.#span) this.#watch(span)
  }

  /**
   * The reader looks at a message of the last answer: whatever comes into holes, it stays in the stretch. Answers whether
   * that is another stretch now, which is on its way.
   */
  stayWith(seen: MessageId, feed: Feed): boolean {
    const span = acrossHole(this.#span, feed, seen)
    if (span !== null) this.#watch(span)
    return span !== null
  }

  toNewest(): void {
    this.#watch(newestSpan)
  }

  toOldest(): void {
    this.#watch(oldestSpan)
  }

  toMessage(id: MessageId): void {
    this.#watch(openingSpan(id))
  }

  /** What this device has does not reach the newest message: they are fetched. */
  async fetchNewest(isOnline: boolean): Promise<void> {
    if (isOnline) await this.#ask('newer', 'newest', () => this.#older(null))
  }

  /** The beginning of the feed came near; what comes after `last` is far out of view. */
  async showOlder(feed: Feed, last: MessageId | null, isOnline: boolean): Promise<void> {
    const first = feed.messages[0]?.id ?? null
    const grow = () => this.#watch(last === null ? newestSpan : grownOlder(feed.messages, last))
    if (feed.before === 'here') grow()
    else if (feed.before === 'on-server' && isOnline)
      await this.#ask('older', `before ${first}`, () => this.#older(first), this.#unlessElsewhere(grow))
  }

  /** The end of the feed came near; what comes before `first` is far out of view. */
  async showNewer(feed: Feed, first: MessageId, isOnline: boolean): Promise<void> {
    const last = feed.messages.at(-1)
    if (last === undefined) return
    const grow = () => this.#watch(grownNewer(feed.messages, first))
    if (feed.after === 'here') grow()
    else if (feed.after === 'on-server') await this.fillAfter(last.id, isOnline, this.#unlessElsewhere(grow))
  }

  /** Fetches what is missing after a message. */
  async fillAfter(after: MessageId, isOnline: boolean, whenHere = () => {}): Promise<void> {
    if (isOnline) await this.#ask('newer', `after ${after}`, () => this.#newer(after), whenHere)
  }

  /** Fetches what is missing in a hole after a message, from the side on which the reader is. */
  async fillGap(after: MessageId, { messages }: Feed, seen: MessageId, isOnline: boolean): Promise<void> {
    const next = messages.find(({ id }) => id > after)?.id
    if (seen <= after || next === undefined) await this.fillAfter(after, isOnline)
    else if (isOnline) await this.#ask('older', `before ${next}`, () => this.#older(next))
  }

  /** A linked message that is not here: its surroundings, after what is being asked for already. */
  async fetchAround(id: MessageId): Promise<void> {
    await this.#asking
    const ask = async () => {
      const [older, newer] = await Promise.all([this.#older(id), this.#newer(id)])
      return { loaded: older.loaded + newer.loaded }
    }
    // Asked anew, so that the first answer after this one holds all of it.
    const show = this.#unlessElsewhere(() => this.#watch(openingSpan(id)))
    await this.#ask('older', `around ${id}`, ask, show)
  }

  /** What failed or gave nothing may be asked again: the connection is back, or the person says so. */
  retry(): void {
    this.#exhausted.clear()
    this.problem = null
  }

  #older(before: MessageId | null): Promise<Loaded> {
    return this.#bridge.call('load-older', { accountId: this.#accountId, narrow: this.#narrow, before })
  }

  #newer(after: MessageId): Promise<Loaded> {
    return this.#bridge.call('load-newer', { accountId: this.#accountId, narrow: this.#narrow, after })
  }

  /** Does something only as long as the stretch is the present one: whoever went elsewhere is not brought back. */
  #unlessElsewhere(act: () => void): () => void {
    const span = this.#span
    return () => {
      if (this.#span === span) act()
    }
  }

  /** Asks the server for something, one thing at a time. `whenHere`: once messages came. */
  async #ask(
    end: 'older' | 'newer',
    place: string,
    ask: () => Promise<Loaded>,
    whenHere = () => {},
  ): Promise<void> {
    if (this.loading !== null || this.#exhausted.has(place)) return
    this.loading = end
    this.#exhausted.add(place)
    this.#asking = ask().then(
      ({ loaded }) => {
        this.problem = null
        this.loading = null
        if (loaded > 0) whenHere()
      },
      (error: unknown) => {
        this.problem = failureText(error)
        this.loading = null
      },
    )
    await this.#asking
  }
}
