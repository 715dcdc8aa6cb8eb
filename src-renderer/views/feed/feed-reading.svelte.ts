import { flushSync } from 'svelte'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import type { Feed } from '../../../src-shared/model/feed.ts'
import { messageId, type MessageId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { shareUnchanged } from '../../state/data/structural-sharing.ts'
import { addressOf, type Route } from '../../state/navigation/route.svelte.ts'
import { keepPlace, type ScrollPlace } from '../../state/navigation/scroll-place.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { arrivalWords } from './arrival-words.ts'
import { FeedLoader } from './feed-loader.svelte.ts'
import { FeedOpening } from './feed-opening.svelte.ts'
import { isAtEnd, messagesInView, placeOf } from './feed-place.ts'
import { feedRows, unreadKey, type FeedRow } from './feed-rows.ts'
import { goalOfMove } from './goal-of-move.ts'
import { barInset, FeedScroll, type Wanted } from './feed-scroll.ts'
import { moveWords } from './move-words.ts'
import { PlaceKeeper } from './place-keeper.ts'
import { RowsDrawing } from './rows-drawing.svelte.ts'
import { firstRows, type RowsPart } from './rows-part.ts'
import { hasLateUnread } from './unread-around.ts'

interface ReadingParts {
  readonly bridge: Bridge
  readonly accountId: string
  readonly narrow: Narrow
  /** The message that a link led to. */
  readonly linked: MessageId | null
  readonly isConversation: boolean
  account(): Account
  isOnline(): boolean
  settings(): AccountSettings | undefined
  /** The keyboard walk, which also keeps its place while rows change. */
  readonly walk: { before(): void; after(): void }
  /** The window is about to show the place that the topic moved to: as a whole, or only what was shown of it. */
  onFollow(place: Route, conversation: Conversation, isWhole: boolean): void
}

/** Where to go when the next stretch has arrived, and what to do then. */
interface Jump {
  readonly wanted: Wanted
  readonly whenThere: () => void
}

/** What a feed shows, where its reader is, and how both change. */
export class FeedReading {
  readonly loader: FeedLoader
  readonly scroll = new FeedScroll()
  readonly drawing = new RowsDrawing({
    scroller: () => this.scroller,
    rows: () => this.rows,
    draw: (change) => {
      this.holdStill()
      change()
      this.#draw()
    },
    // From then on, a message id identifies the stretch; unless another one has been requested meanwhile.
    whenAll: () => {
      const isSettled = !this.isOpening && !this.loader.isWaiting
      if (isSettled && this.shown !== null) this.loader.settle(this.shown)
    },
  })
  readonly linked: MessageId | null
  /** The shown answer; the last one stays on screen while the next stretch is being fetched. */
  shown = $state.raw<Feed | null>(null)
  unreadFrom = $state.raw<MessageId | null>(null)
  unreadCount = $state(0)
  scroller = $state.raw<HTMLElement | null>(null)
  inView = $state.raw<{ first: number; last: number } | null>(null)
  showsEnd = $state(true)
  /** The announcement of new messages for screen readers. */
  announced = $state.raw({ words: '', count: 0 })
  /** Following a link does not mark the messages around it as read; moving about among them does. */
  hasMoved = false
  isOpening = true
  /** A message has the focus. */
  #isHeld = false
  #lastRows: readonly FeedRow[] = []
  readonly rows = $derived.by(() => {
    const { shown, unreadFrom } = this
    const rows = shown === null ? [] : feedRows(shown, unreadFrom, this.#parts.settings()?.ownUserId ?? null)
    return (this.#lastRows = shareUnchanged(this.#lastRows, rows))
  })
  readonly #parts: ReadingParts
  readonly #places: PlaceKeeper
  readonly #opening: FeedOpening
  readonly #openedAt = Date.now()
  #answer: Feed | null = null
  /** The feed was closed; later answers of the engine are ignored. */
  #isGone = false
  #jump: Jump | null = null
  /** The jump to the link's goal that a reader who goes on reading does not want any more. */
  #awaited: Jump | null = null

  constructor(parts: ReadingParts) {
    this.#parts = parts
    this.linked = parts.linked
    const { bridge, accountId, narrow, linked } = parts
    this.#opening = new FeedOpening({
      linked,
      loader: () => this.loader,
      isOnline: () => parts.isOnline(),
      isAwaited: () => this.shown === null || !this.hasMoved,
      whenFetched: () => this.#goalFetched(),
    })
    this.loader = new FeedLoader({
      ...{ bridge, accountId, narrow, around: this.#opening.goal },
      onFeed: (feed) => this.#arrive(feed),
    })
    this.#places = new PlaceKeeper({ bridge, accountId, narrow, place: () => this.#readersPlace() })
  }

  /** Shows the feed until the returned function is called. */
  start(): () => void {
    const stop = this.loader.start()
    const stopKeeping = this.#places.start()
    return () => {
      this.#isGone = true
      this.drawing.stop()
      stopKeeping()
      stop()
    }
  }

  /** Takes an answer of the engine. It is drawn at once, so that nothing comes between measuring and scrolling. */
  #arrive(feed: Feed): void {
    if (this.#isGone) return
    this.#answer = feed
    // Once something is shown, only a reader who still waits for the link's goal is taken there (see `retry`).
    const isAwaited = this.#opening.isFetching && !this.hasMoved
    if ((this.shown === null || isAwaited) && this.#opening.comesFirst(feed)) return
    if (this.#followsMove(feed)) return
    if (this.#staysWithReader()) return
    const last = this.shown?.messages.at(-1)
    const isFirst = this.shown === null
    const jump = this.isOpening ? null : this.#jump
    this.holdStill()
    const keptPart = this.drawing.before()
    this.shown = shareUnchanged(this.shown, feed)
    let part: RowsPart | null = null
    if (this.isOpening) {
      const wanted = this.#open(feed)
      part = isFirst ? firstRows(this.rows, wanted, { width: innerWidth, height: innerHeight }) : null
      // During a first sync, messages arrive piece by piece, and the place to open at is not known yet.
      const isFound = this.#opening.goal !== null || feed.anchorIsUnread || feed.leftAt !== null
      this.isOpening = this.#parts.isOnline() && !this.hasMoved && !isFound && feed.after !== 'end'
    } else if (jump !== null) {
      this.scroll.want(jump.wanted)
      this.#jump = null
    } else {
      const isLate = this.#followNewAnswer(feed, last?.id ?? null)
      part = isLate ? null : keptPart()
    }
    this.drawing.show(part)
    this.#draw()
    jump?.whenThere()
    this.drawing.finish({ urgent: !isFirst })
  }

  /** The message to open at is here, or could not be fetched. */
  #goalFetched(): void {
    const isComing = this.loader.isWaiting
    if (!isComing) this.#jump = null
    if (this.shown === null && !isComing && this.#answer !== null) this.#arrive(this.#answer)
    else this.look()
  }

  /**
   * The shown answer has changed; `last` is the newest message of the one before. Returns whether the feed went to
   * messages that turned out to be unread.
   */
  #followNewAnswer(feed: Feed, last: MessageId | null): boolean {
    const { unreadFrom } = this
    const isStill = !this.hasMoved && !this.#isHeld && this.#opening.goal === null
    const isLate = isStill && hasLateUnread(feed, { unreadFrom, openedAt: this.#openedAt, now: Date.now() })
    if (isLate) this.toUnread()
    if (this.unreadFrom === null && !document.hasFocus()) this.#drawUnreadLine(feed)
    const words = arrivalWords(feed, last, {
      ownUserId: this.#parts.settings()?.ownUserId ?? 0,
      isAtEnd: this.scroll.isSticking,
      isConversation: this.#parts.isConversation,
      uses24HourClock: this.#parts.settings()?.twentyFourHourTime ?? true,
    })
    if (words !== null) this.announced = { words, count: this.announced.count + 1 }
    return isLate
  }

  /** Draws the changes, and keeps what the reader is looking at in place. */
  #draw(): void {
    flushSync()
    this.putBack()
  }

  /** To be called just before the drawn rows change: it records what the reader is looking at. */
  holdStill(): void {
    if (this.shown === null) return
    this.#parts.walk.before()
    this.scroll.before()
  }

  /** To be called just after the rows have changed: it restores what `holdStill` recorded. */
  putBack(): void {
    // Nothing is shown yet, and measuring would lay out the page once more.
    if (this.shown === null) return
    const showsNewest = this.shown.after === 'end' && this.drawing.reachesEnd
    this.scroll.after(showsNewest, document.hasFocus() ? null : this.#firstUnread(this.shown))
    this.#parts.walk.after()
    this.look()
  }

  /** The row where the messages begin that are unread now; null if none are. */
  #firstUnread({ firstUnreadId }: Feed): string | null {
    if (firstUnreadId === null) return null
    return firstUnreadId === this.unreadFrom ? unreadKey : String(firstUnreadId)
  }

  /** Goes to where the topic went; returns whether it did. */
  #followsMove(feed: Feed): boolean {
    const { narrow, account, accountId } = this.#parts
    const { shown, linked } = this
    const move = goalOfMove({ accountId, narrow, shown, linked }, feed)
    if (move === null) return false
    const { from, goal, isOwn } = move
    if (!isOwn) toasts.show({ words: moveWords(from, goal), undo: null })
    const place = { view: 'feed', accountId: account().id, narrow: goal, near: linked } as const
    const reading = this.scroller === null ? null : placeOf(this.scroller, barInset)
    this.#parts.onFollow(place, goal, feed.messages.length === 0)
    location.replace(`#${addressOf(place)}`)
    // The messages are the same, so the reader stays where they are.
    if (reading?.kind === 'row') keepPlace(reading)
    return true
  }

  #drawUnreadLine(feed: Feed): void {
    this.unreadFrom = feed.firstUnreadId
    this.unreadCount = feed.unreadCount
  }

  /** Scrolls to the place where the feed opens, and returns it. */
  #open(feed: Feed): Wanted {
    this.#drawUnreadLine(feed)
    const wanted = this.#opening.placeIn(feed)
    this.scroll.want(wanted)
    // Messages that arrive around it may push out the rows above.
    if (wanted.kind === 'row' && wanted.key !== unreadKey) this.scroll.hold(wanted.key)
    return wanted
  }

  /** Checks what is in view, and requests more messages before they are needed. */
  look(): void {
    const { scroller, shown, loader } = this
    if (this.#isGone || scroller === null || shown === null) return
    const isOnline = this.#parts.isOnline()
    this.inView = messagesInView(scroller, barInset)
    this.showsEnd = isAtEnd(scroller) && this.drawing.reachesEnd
    // A new stretch, or the rest of this one, is on its way; only one thing happens at a time.
    const isBusy = loader.isWaiting || this.drawing.isBusy || this.#opening.isFetching
    if (isBusy || this.#staysWithReader()) return
    if (this.isOpening) {
      if (shown.after === 'on-server')
        void loader.fetchNewest(isOnline).then(() => {
          if (loader.problem !== null) this.isOpening = false
        })
      return
    }
    // Requested early and kept longer, so that no end of the stretch ever comes into view, and none flickers.
    const margin = scroller.clientHeight * 1.5
    const near = messagesInView(scroller, 0, scroller.clientHeight * 2.5)
    const [first, last] = near === null ? [null, null] : [messageId(near.first), messageId(near.last)]
    const { scrollTop, scrollHeight, clientHeight } = scroller
    const hasOlder = shown.before === 'here' || shown.before === 'on-server'
    if (scrollTop < margin && hasOlder) void loader.showOlder(shown, last, isOnline)
    else if (scrollHeight - scrollTop - clientHeight < margin && shown.after !== 'end' && first !== null)
      void loader.showNewer(shown, first, isOnline)
    else if (near !== null && this.inView !== null) {
      const gaps = shown.gapsAfter.filter((id) => near.first <= id && id <= near.last)
      void loader.fillGaps(gaps, shown, messageId(this.inView.first), isOnline)
    }
  }

  /** The reader passed a hole. Returns whether a stretch that continues from there was requested. */
  #staysWithReader(): boolean {
    const { scroller, shown, loader } = this
    if (scroller === null || shown === null || shown.gapsAfter.length === 0) return false
    if (this.isOpening || this.#jump !== null) return false
    const seen = messagesInView(scroller, barInset)
    return seen !== null && loader.stayWith(messageId(seen.first), shown)
  }

  /** The feed was scrolled, by the reader or by the app. */
  scrolled(): void {
    this.scroll.scrolled()
    this.drawing.scrolled()
    this.look()
    this.#places.scrolled()
  }

  /** The reader's place; null at the end, undefined while nothing is drawn. */
  #readersPlace(): ScrollPlace | null | undefined {
    if (this.scroller === null) return undefined
    const place = this.scroll.isSticking ? null : placeOf(this.scroller, barInset)
    return place?.kind === 'row' ? place : null
  }

  /** Whether something is missing only because no server answered: worth another `retry`. */
  get isInterrupted(): boolean {
    return this.loader.isInterrupted || this.#opening.isMissed
  }

  /**
   * Repeats failed requests. A link's goal that could not be fetched is requested again if the reader still waits
   * there. What is retried by itself keeps the note that says why it failed until there is an answer.
   */
  retry(isByItself = false): void {
    this.#opening.retry()
    this.loader.retry(isByItself)
    const { place } = this.#opening
    const isStill = this.shown !== null && !this.hasMoved && !this.#isHeld
    if (place !== null && isStill && this.#answer !== null && this.#opening.comesFirst(this.#answer))
      this.#jumpTo(place)
    this.#awaited = this.#jump
    this.look()
  }

  #goTo(wanted: Wanted): void {
    this.drawing.show(null)
    this.scroll.want(wanted)
    this.#draw()
  }

  /** Goes to a place in the stretch that was requested, as soon as it arrives. */
  #jumpTo(wanted: Wanted, whenThere = () => {}): void {
    this.#jump = { wanted, whenThere }
  }

  /** Goes to the newest message; `whenThere` is called as soon as it is drawn. */
  toNewest(whenThere = () => {}): void {
    if (this.shown?.after === 'end') {
      this.#goTo({ kind: 'end' })
      whenThere()
    } else {
      this.#jumpTo({ kind: 'end' }, whenThere)
      this.loader.toNewest()
    }
  }

  /** Goes to the first message on this device; `whenThere` is called as soon as it is drawn. */
  toFirst(whenThere = () => {}): void {
    if (this.shown?.before === 'beginning' || this.shown?.before === 'limited') {
      this.#goTo({ kind: 'beginning' })
      whenThere()
    } else {
      this.#jumpTo({ kind: 'beginning' }, whenThere)
      this.loader.toOldest()
    }
  }

  toUnread(): void {
    if (this.shown?.firstUnreadId == null) return
    this.#drawUnreadLine(this.shown)
    this.#toRowOf(this.shown.firstUnreadId, { kind: 'row', key: unreadKey, at: 'top' })
  }

  /** Goes to the message of the link once more. */
  toLinked(): void {
    const { linked } = this
    if (linked !== null && this.shown !== null)
      this.#toRowOf(linked, { kind: 'row', key: String(linked), at: 'middle' })
  }

  /** Goes to a message that was found. */
  toFound(id: MessageId): void {
    this.moved()
    this.#toRowOf(id, { kind: 'row', key: String(id), at: 'middle' })
  }

  /** Goes to a row that appears only once its message is loaded. */
  #toRowOf(id: MessageId, wanted: Wanted): void {
    if (this.shown?.messages.some((message) => message.id === id) === true) this.#goTo(wanted)
    else {
      this.#jumpTo(wanted)
      this.loader.toMessage(id)
    }
  }

  /** The reader moved by hand, so nothing else decides where the feed goes. */
  moved(): void {
    this.walked()
    this.scroll.want(null)
  }

  /** A message has the focus. It keeps it, wherever the feed was about to open. */
  hold(): void {
    this.#isHeld = true
    this.isOpening = false
    this.scroll.want(null)
  }

  /** The reader moved by keys, which scroll by themselves. */
  walked(): void {
    if (this.#jump === this.#awaited) this.#jump = null
    this.hasMoved = true
    this.isOpening = false
  }

  /** Draws the unread line above this message from now on; returns the messages below it. */
  drawUnreadFrom(id: MessageId): MessageId[] {
    this.holdStill()
    this.drawing.show(null)
    this.unreadFrom = id
    const below = (this.shown?.messages ?? []).filter((message) => message.id >= id)
    this.unreadCount = below.length
    this.#draw()
    return below.map((message) => message.id)
  }
}
