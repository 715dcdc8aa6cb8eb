import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Feed } from '../../../src-shared/model/feed.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
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
import { takePrefetch } from './feed-prefetch.ts'

/** How many messages arrived. */
type Loaded = { readonly loaded: number }

/**
 * The stretch of a narrow that a feed shows, and how it grows.
 *
 * 1. Only one stretch of bounded size is watched; when it grows at one end, it is cut at the other.
 * 2. The server is asked for missing messages once per place, and again only after it has delivered some.
 */
export class FeedLoader {
  /** The end that waits for the server now. */
  loading = $state.raw<'older' | 'newer' | null>(null)
  /** Why the server did not deliver what was requested; null if it did. */
  problem = $state.raw<string | null>(null)
  /** Whether that was only because no server answered. */
  isInterrupted = $state.raw(false)
  /** Why the engine could not read the stretch; null if it did, and while it reads. */
  unreadable = $state.raw<string | null>(null)
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #narrow: Narrow
  readonly #onFeed: (feed: Feed) => void
  #span: FeedSpan
  #stop = () => {}
  #isWaiting = true
  /** The requests in progress. Never rejects. */
  #asking = Promise.resolve()
  /** Places for which the server had nothing more to deliver. */
  readonly #exhausted = new Set<string>()

  constructor(parts: {
    readonly bridge: Bridge
    readonly accountId: string
    readonly narrow: Narrow
    /** The message at which the feed opens; null for the first unread message or the end. */
    readonly around: MessageId | null
    /** Called with every answer, but never before `start` has returned. */
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
    this.unreadable = null
    const params = { accountId: this.#accountId, narrow: this.#narrow, ...span }
    const hear = (feed: Feed) => {
      this.#isWaiting = false
      this.#onFeed(feed)
    }
    const onFailure = ({ message }: Failure) => (this.unreadable = message)
    this.#stop =
      takePrefetch(params, hear, onFailure) ?? this.#bridge.watch('feed', params, hear, { onFailure })
  }

  /** A stretch was requested; the next one is requested only after it has arrived. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** To be called once a stretch's first answer is on screen: from then on a message id identifies the stretch. */
  settle(feed: Feed): void {
    const span = settled(this.#span, feed)
    if (span !== this.#span) this.#watch(span)
  }

  /**
   * The reader looks at a message of the last answer. It stays in the stretch, whatever messages fill holes. Returns
   * whether that requires another stretch, which has then been requested.
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

  /** Fetches the newest messages, if the messages on this device do not reach them. */
  async fetchNewest(isOnline: boolean): Promise<void> {
    if (isOnline) await this.#ask('newer', 'newest', () => this.#older(null))
  }

  /** The reader is near the beginning of the feed; messages after `last` are far out of view. */
  async showOlder(feed: Feed, last: MessageId | null, isOnline: boolean): Promise<void> {
    const first = feed.messages[0]?.id ?? null
    const grow = () => this.#watch(last === null ? newestSpan : grownOlder(feed.messages, last))
    if (feed.before === 'here') grow()
    else if (feed.before === 'on-server' && isOnline)
      await this.#ask('older', `before ${first}`, () => this.#older(first), this.#unlessElsewhere(grow))
  }

  /** The reader is near the end of the feed; messages before `first` are far out of view. */
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

  /**
   * Fetches what is missing in the holes after some messages, in ascending order, from the reader's side. Of several it
   * begins beyond all of them, as one page mostly fills them: in a channel that the person is not in, there is one
   * between every two messages.
   */
  async fillGaps(
    gaps: readonly MessageId[],
    { messages }: Feed,
    seen: MessageId,
    isOnline: boolean,
  ): Promise<void> {
    const [first] = gaps
    const last = gaps.at(-1)
    if (first === undefined || last === undefined) return
    const next = messages.find(({ id }) => id > last)?.id
    if (seen <= first || next === undefined) await this.fillAfter(first, isOnline)
    else if (isOnline) await this.#ask('older', `before ${next}`, () => this.#older(next))
  }

  /**
   * Fetches the surroundings of a linked message that is not here, after the requests in progress, and shows them if the
   * reader still waits for them.
   */
  async fetchAround(id: MessageId, isAwaited: () => boolean): Promise<void> {
    // Another request may begin in the same turn, or follow the one in progress.
    do await this.#asking
    while (this.loading !== null)
    const ask = async () => {
      const [older, newer] = await Promise.all([this.#older(id), this.#newer(id)])
      return { loaded: older.loaded + newer.loaded }
    }
    // Watched anew, so that the first answer after this one contains all of it.
    const show = this.#unlessElsewhere(() => isAwaited() && this.#watch(openingSpan(id)))
    await this.#ask('older', `around ${id}`, ask, show)
  }

  /**
   * Allows failed and empty requests again: the connection is back, or the person asked for it. What is retried by
   * itself keeps its note until there is an answer.
   */
  retry(isByItself = false): void {
    this.#exhausted.clear()
    if (!isByItself) this.problem = null
    this.isInterrupted = false
    if (this.unreadable !== null) this.#watch(this.#span)
  }

  #older(before: MessageId | null): Promise<Loaded> {
    return this.#bridge.call('load-older', { accountId: this.#accountId, narrow: this.#narrow, before })
  }

  #newer(after: MessageId): Promise<Loaded> {
    return this.#bridge.call('load-newer', { accountId: this.#accountId, narrow: this.#narrow, after })
  }

  /**
   * Wraps an action so that it runs only while the stretch is still the same: a reader who has gone elsewhere is not
   * brought back.
   */
  #unlessElsewhere(act: () => void): () => void {
    const span = this.#span
    return () => {
      if (this.#span === span) act()
    }
  }

  /** Sends one request to the server at a time. `whenHere` runs once messages have arrived. */
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
        this.isInterrupted = false
        this.loading = null
        if (loaded > 0) whenHere()
      },
      (error: unknown) => {
        const failure = failureOf(error)
        this.problem = failure.message
        this.isInterrupted = failure.kind === 'offline'
        this.loading = null
      },
    )
    await this.#asking
  }
}
