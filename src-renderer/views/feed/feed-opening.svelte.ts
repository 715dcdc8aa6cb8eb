import type { Feed } from '../../../src-shared/model/feed.ts'
import { messageId, type MessageId } from '../../../src-shared/ids.ts'
import { keptPlace } from '../../state/navigation/scroll-place.ts'
import type { FeedLoader } from './feed-loader.svelte.ts'
import { unreadKey } from './feed-rows.ts'
import type { Wanted } from './feed-scroll.ts'

interface OpeningParts {
  /** The message that a link led to. */
  readonly linked: MessageId | null
  loader(): FeedLoader
  isOnline(): boolean
  /** Nothing is shown yet, or the reader still waits for the goal. */
  isAwaited(): boolean
  /** The request for the goal has ended, with the goal or without. */
  whenFetched(): void
}

/**
 * Where a feed opens: at its goal, otherwise at the first unread message, where the reader was, or at the end. A goal
 * that is not on this device is requested from the server first.
 */
export class FeedOpening {
  /** The message where the reader left the feed before they went back to it, or that a link led to; null for none. */
  readonly goal: MessageId | null
  /** It is on its way from the server. */
  isFetching = false
  /** The request for it was interrupted; what else was requested since may have arrived. */
  isMissed = $state.raw(false)
  #isFetched = false
  readonly #kept = keptPlace()
  readonly #parts: OpeningParts

  constructor(parts: OpeningParts) {
    this.#parts = parts
    this.goal =
      this.#kept !== null && /^\d+$/.test(this.#kept.key) ? messageId(Number(this.#kept.key)) : parts.linked
  }

  /** The place of the goal; null without one. */
  get place(): Wanted | null {
    return this.goal === null ? null : this.#placeOf(this.goal)
  }

  /** The place in these messages. If they lack the goal, the next message stands for it. */
  placeIn({ messages, ...feed }: Feed): Wanted {
    const { goal } = this
    if (goal !== null) return this.#placeOf((messages.find(({ id }) => id >= goal) ?? messages.at(-1))?.id)
    if (feed.anchorIsUnread) return { kind: 'row', key: unreadKey, at: 'top' }
    return feed.leftAt !== null && feed.anchorId !== null
      ? { kind: 'row', key: String(feed.anchorId), at: feed.leftAt }
      : { kind: 'end' }
  }

  #placeOf(id: MessageId | undefined): Wanted {
    return { kind: 'row', key: String(id), at: this.#kept === null ? 'middle' : this.#kept.top }
  }

  /** Whether the goal has to come from the server before these messages are shown; if so, it is requested. */
  comesFirst(feed: Feed): boolean {
    const { goal } = this
    if (goal === null || this.#isFetched || !this.#parts.isOnline()) return false
    if (feed.messages.some(({ id }) => id === goal)) return false
    if (this.isFetching) return true
    this.isFetching = true
    const loader = this.#parts.loader()
    void loader
      .fetchAround(goal, () => this.#parts.isAwaited())
      .finally(() => {
        this.#isFetched = true
        this.isMissed = loader.isInterrupted
        this.isFetching = false
        this.#parts.whenFetched()
      })
    return true
  }

  /** Lets a goal that could not be fetched be requested again. */
  retry(): void {
    if (this.#parts.loader().problem !== null || this.isMissed) this.#isFetched = false
    this.isMissed = false
  }
}
