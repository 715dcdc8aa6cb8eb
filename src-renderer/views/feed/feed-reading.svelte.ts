import { flushSync } from 'svelte'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountSettings, Feed } from '../../../src-shared/bridge/queries.ts'
import { messageId, type MessageId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import { narrowKey, type Narrow } from '../../../src-shared/model/narrow.ts'
import { keptParts } from '../../state/kept-parts.ts'
import { ownMove } from '../../state/own-move.ts'
import { addressOf } from '../../state/route.svelte.ts'
import { keptPlace, type ScrollPlace } from '../../state/scroll-place.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { arrivalWords } from './arrival-words.ts'
import { FeedLoader } from './feed-loader.svelte.ts'
import { isAtEnd, messagesInView, placeOf } from './feed-place.ts'
import { feedRows, unreadKey, type FeedRow } from './feed-rows.ts'
import { barInset, FeedScroll, type Wanted } from './feed-scroll.ts'
import { afterPaint, fillsView, firstRows, type RowsPart } from './first-rows.ts'
import { moveWords } from './move-words.ts'
import { PlaceKeeper } from './place-keeper.ts'
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
  /** Who else keeps something in place while rows change. */
  readonly walk: { before(): void; after(): void }
}

/** What a feed shows, where its reader is in it, and how both change. */
export class FeedReading {
  readonly loader: FeedLoader
  readonly scroll = new FeedScroll()
  readonly linked: MessageId | null
  /** What is shown; the last answer stays on screen while the next stretch is on its way. */
  shown = $state.raw<Feed | null>(null)
  unreadFrom = $state.raw<MessageId | null>(null)
  unreadCount = $state(0)
  /** Before the first paint, only what is in view is drawn; null: everything is. */
  part = $state.raw<RowsPart | null>(null)
  scroller = $state.raw<HTMLElement | null>(null)
  inView = $state.raw<{ first: number; last: number } | null>(null)
  showsEnd = $state(true)
  /** What came in, for whoever hears the page. */
  announced = $state.raw({ words: '', count: 0 })
  /** A link that is followed does not mark the whole neighbourhood as read; moving about in it does. */
  hasMoved = false
  isOpening = true
  /** The reader has a message in hand. */
  #isHeld = false
  #lastRows: readonly FeedRow[] = []
  readonly rows = $derived.by(() => {
    const { shown, unreadFrom } = this
    const rows = shown === null ? [] : feedRows(shown, unreadFrom, this.#parts.settings()?.ownUserId ?? null)
    return (this.#lastRows = keptParts(this.#lastRows, rows))
  })
  readonly #parts: ReadingParts
  readonly #places: PlaceKeeper
  readonly #kept = keptPlace()
  readonly #opening: MessageId | null
  readonly #openedAt = Date.now()
  #answer: Feed | null = null
  /** Left: what the engine still answers is for nobody. */
  #isGone = false
  /** The server was asked for the message to open at. */
  #isFetched = false
  #isFetching = false
  /** Where to go with the next stretch. */
  #jump: Wanted | null = null
  #stopWaitingForPaint = () => {}

  constructor(parts: ReadingParts) {
    this.#parts = parts
    this.linked = parts.linked
    this.#opening =
      this.#kept !== null && /^\d+$/.test(this.#kept.key) ? messageId(Number(this.#kept.key)) : parts.linked
    const { bridge, accountId, narrow } = parts
    this.loader = new FeedLoader({
      ...{ bridge, accountId, narrow, around: this.#opening },
      onFeed: (feed) => this.#arrive(feed),
    })
    this.#places = new PlaceKeeper({ bridge, accountId, narrow, place: () => this.#readersPlace() })
  }

  /** Reads on until the returned function is called. */
  start(): () => void {
    const stop = this.loader.start()
    const stopKeeping = this.#places.start()
    return () => {
      this.#isGone = true
      this.#stopWaitingForPaint()
      stopKeeping()
      stop()
    }
  }

  /** An answer of the engine. It is drawn at once, so that nothing comes between measuring and moving. */
  #arrive(feed: Feed): void {
    if (this.#isGone) return
    this.#answer = feed
    // Once something is shown, only who waits for it where it led instead is taken to it (see `retry`).
    if ((this.shown === null || this.#isFetching) && this.#isFetchedFirst(feed)) return
    if (this.#followsMove(feed)) return
    if (this.#staysWithReader()) return
    const last = this.shown?.messages.at(-1)
    const isFirst = this.shown === null
    this.holdStill()
    this.shown = keptParts(this.shown, feed)
    if (this.isOpening) {
      const wanted = this.#open(feed)
      this.part = isFirst ? firstRows(this.rows, wanted) : null
      // While the first messages come in, piece by piece, the place to open at is still being found.
      const isFound = this.#opening !== null || feed.anchorIsUnread || feed.leftAt !== null
      this.isOpening = this.#parts.isOnline() && !this.hasMoved && !isFound && feed.after !== 'end'
    } else if (this.#jump !== null) {
      this.scroll.want(this.#jump)
      this.#jump = null
    } else this.#goOn(feed, last?.id ?? null)
    if (!isFirst) this.part = null
    if (this.part === null) this.#settle()
    this.#draw()
    if (this.part === null) return
    if (this.scroller !== null && fillsView(this.scroller, this.part, this.rows))
      this.#stopWaitingForPaint = afterPaint(() => this.#drawRest())
    else this.#drawRest()
  }

  /** Whether the message to open at has to come from the server first. */
  #isFetchedFirst(feed: Feed): boolean {
    const wanted = this.#opening
    if (wanted === null || this.#isFetched || !this.#parts.isOnline()) return false
    if (feed.messages.some(({ id }) => id === wanted)) return false
    if (this.#isFetching) return true
    this.#isFetching = true
    void this.loader.fetchAround(wanted).finally(() => {
      this.#isFetched = true
      this.#isFetching = false
      const isComing = this.loader.isWaiting
      if (!isComing) this.#jump = null
      if (this.shown === null && !isComing && this.#answer !== null) this.#arrive(this.#answer)
      else this.look()
    })
    return true
  }

  /** What is shown has changed; `last`: the newest message before. */
  #goOn(feed: Feed, last: MessageId | null): void {
    const { unreadFrom } = this
    const isStill = !this.hasMoved && !this.#isHeld && this.#opening === null
    if (isStill && hasLateUnread(feed, { unreadFrom, openedAt: this.#openedAt, now: Date.now() }))
      this.toUnread()
    if (this.unreadFrom === null && !document.hasFocus()) this.#drawUnreadLine(feed)
    const words = arrivalWords(feed, last, {
      ownUserId: this.#parts.settings()?.ownUserId ?? 0,
      isAtEnd: this.scroll.isSticking,
      isConversation: this.#parts.isConversation,
    })
    if (words !== null) this.announced = { words, count: this.announced.count + 1 }
  }

  #drawRest(): void {
    if (this.#isGone || this.part === null) return
    this.holdStill()
    this.part = null
    this.#settle()
    this.#draw()
  }
  #settle(): void {
    if (!this.isOpening && this.shown !== null) this.loader.settle(this.shown)
  }

  /** Draws what has changed, and puts what is looked at where it was. */
  #draw(): void {
    flushSync()
    this.putBack()
  }

  /** Just before something changes what is drawn: what is looked at stays where it is. */
  holdStill(): void {
    if (this.shown === null) return
    this.#parts.walk.before()
    this.scroll.before()
  }

  /** Just after. */
  putBack(): void {
    // Nothing is looked at yet; to ask where would have the page laid out once more.
    if (this.shown === null) return
    this.scroll.after(this.shown?.after === 'end', document.hasFocus() ? null : unreadKey)
    this.#parts.walk.after()
    this.look()
  }

  /** The topic was renamed under the reader's eye, or since a link to it was made: the feed goes along. */
  #followsMove(feed: Feed): boolean {
    const { narrow, account } = this.#parts
    const hadMessages = this.shown !== null && this.shown.messages.length > 0
    if (narrow.kind !== 'topic' || !(hadMessages || this.linked !== null)) return false
    // What one message was moved away from stays open; a link follows its message wherever that is.
    const before = new Set(this.shown?.messages.map(({ id }) => id))
    if (feed.messages.some(({ id }) => before.has(id))) return false
    const goal = feed.movedTo ?? (hadMessages && feed.messages.length === 0 ? ownMove.to : null)
    if (goal === null || narrowKey(goal) === narrowKey(narrow)) return false
    const isOwn = ownMove.to !== null && narrowKey(ownMove.to) === narrowKey(goal)
    if (!isOwn) toasts.show({ words: moveWords(narrow, goal), undo: null })
    const place = { view: 'feed', accountId: account().id, narrow: goal, near: this.linked } as const
    location.replace(`#${addressOf(place)}`)
    return true
  }

  #drawUnreadLine(feed: Feed): void {
    this.unreadFrom = feed.firstUnreadId
    this.unreadCount = feed.unreadCount
  }

  /** Goes to where the feed is to open; answers where that is. */
  #open(feed: Feed): Wanted {
    this.#drawUnreadLine(feed)
    const opening = this.#opening
    const wanted: Wanted =
      opening !== null
        ? { kind: 'row', key: nearestTo(opening, feed), at: this.#kept === null ? 'middle' : this.#kept.top }
        : feed.anchorIsUnread
          ? { kind: 'row', key: unreadKey, at: 'top' }
          : feed.leftAt !== null && feed.anchorId !== null
            ? { kind: 'row', key: String(feed.anchorId), at: feed.leftAt }
            : { kind: 'end' }
    this.scroll.want(wanted)
    // What comes in around it may push out the rows above.
    if (wanted.kind === 'row' && wanted.key !== unreadKey) this.scroll.hold(wanted.key)
    return wanted
  }

  /** Sees what is in view, and has more fetched before it is needed. */
  look(): void {
    const { scroller, shown, loader } = this
    if (this.#isGone || scroller === null || shown === null) return
    const isOnline = this.#parts.isOnline()
    this.inView = messagesInView(scroller, barInset)
    this.showsEnd = isAtEnd(scroller)
    // A new stretch is on its way, or the rest of this one: one thing after another.
    if (loader.isWaiting || this.part !== null || this.#isFetching || this.#staysWithReader()) return
    if (this.isOpening) {
      if (shown.after === 'on-server')
        void loader.fetchNewest(isOnline).then(() => {
          if (loader.problem !== null) this.isOpening = false
        })
      return
    }
    // Asked for early and kept longer, so that neither end ever comes into view nor comes and goes.
    const margin = scroller.clientHeight * 1.5
    const near = messagesInView(scroller, 0, scroller.clientHeight * 2.5)
    const [first, last] = near === null ? [null, null] : [messageId(near.first), messageId(near.last)]
    const { scrollTop, scrollHeight, clientHeight } = scroller
    if (scrollTop < margin && shown.before !== 'beginning') void loader.showOlder(shown, last, isOnline)
    else if (scrollHeight - scrollTop - clientHeight < margin && shown.after !== 'end' && first !== null)
      void loader.showNewer(shown, first, isOnline)
    else if (near !== null && this.inView !== null) {
      const gap = shown.gapsAfter.find((id) => near.first <= id && id <= near.last)
      if (gap !== undefined) void loader.fillGap(gap, shown, messageId(this.inView.first), isOnline)
    }
  }

  /** The reader passed a hole: answers whether a stretch that goes on from there is on its way. */
  #staysWithReader(): boolean {
    const { scroller, shown, loader } = this
    if (scroller === null || shown === null || shown.gapsAfter.length === 0) return false
    if (this.isOpening || this.#jump !== null) return false
    const seen = messagesInView(scroller, barInset)
    return seen !== null && loader.stayWith(messageId(seen.first), shown)
  }

  /** The feed was scrolled, by whomever. */
  scrolled(): void {
    this.scroll.scrolled()
    this.look()
    this.#places.scrolled()
  }

  /** Where the reader is now; null at the end, undefined while nothing is drawn. */
  #readersPlace(): ScrollPlace | null | undefined {
    if (this.scroller === null) return undefined
    const place = this.scroll.isSticking ? null : placeOf(this.scroller, barInset)
    return place?.kind === 'row' ? place : null
  }

  /** What failed is asked again; so is what a link led to while there was no server, if the reader still waits there. */
  retry(): void {
    if (this.loader.problem !== null) this.#isFetched = false
    this.loader.retry()
    const key = this.#opening === null ? null : String(this.#opening)
    const isStill = this.shown !== null && !this.hasMoved && !this.#isHeld
    if (key !== null && isStill && this.#answer !== null && this.#isFetchedFirst(this.#answer))
      this.#jump = { kind: 'row', key, at: this.#kept === null ? 'middle' : this.#kept.top }
    this.look()
  }

  #goTo(wanted: Wanted): void {
    this.scroll.want(wanted)
    this.#draw()
  }

  toNewest(): void {
    if (this.shown?.after === 'end') this.#goTo({ kind: 'end' })
    else {
      this.#jump = { kind: 'end' }
      this.loader.toNewest()
    }
  }

  toFirst(): void {
    if (this.shown?.before === 'beginning') this.#goTo({ kind: 'beginning' })
    else {
      this.#jump = { kind: 'beginning' }
      this.loader.toOldest()
    }
  }

  toUnread(): void {
    if (this.shown?.firstUnreadId == null) return
    this.#drawUnreadLine(this.shown)
    this.#toRowOf(this.shown.firstUnreadId, { kind: 'row', key: unreadKey, at: 'top' })
  }

  /** Goes to a message that was found. */
  toFound(id: MessageId): void {
    this.moved()
    this.#toRowOf(id, { kind: 'row', key: String(id), at: 'middle' })
  }

  /** Goes to a row that is drawn once the message is. */
  #toRowOf(id: MessageId, wanted: Wanted): void {
    if (this.shown?.messages.some((message) => message.id === id) === true) this.#goTo(wanted)
    else {
      this.#jump = wanted
      this.loader.toMessage(id)
    }
  }

  /** The reader moves by hand: nothing else decides where to. */
  moved(): void {
    this.walked()
    this.scroll.want(null)
  }

  /** A message has the focus: it is not taken away from under it, wherever the feed was to open. */
  hold(): void {
    this.#isHeld = true
    this.isOpening = false
    this.scroll.want(null)
  }

  /** The reader moves by keys, which say where to themselves. */
  walked(): void {
    this.hasMoved = true
    this.isOpening = false
  }

  /** The unread line stands above this message from now on; answers the messages below it. */
  drawUnreadFrom(id: MessageId): MessageId[] {
    this.holdStill()
    this.unreadFrom = id
    const below = (this.shown?.messages ?? []).filter((message) => message.id >= id)
    this.unreadCount = below.length
    this.#draw()
    return below.map((message) => message.id)
  }
}

/** The message, or the next one that is here. */
const nearestTo = (wanted: MessageId, { messages }: Feed) =>
  String((messages.find(({ id }) => id >= wanted) ?? messages.at(-1))?.id)
