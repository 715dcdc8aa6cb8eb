import type { LocalId, MessageId } from '../../../src-shared/ids.ts'
import type { Feed } from '../../../src-shared/model/feed.ts'
import type { FeedMessage, WaitingMessage } from '../../../src-shared/model/message.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import { topicWithoutMark } from '../../../src-shared/topic-names.ts'
import { mayResolve } from '../../../src-shared/model/permissions.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { isTyping } from '../../state/keys/key-bindings.svelte.ts'
import { isResting } from '../../state/keys/resting-focus.ts'
import type { Doable } from '../../state/keys/doable.ts'
import type { FeedActs } from './feed-acts.svelte.ts'
import { actOnMessage, topicWords, waitingAct } from './feed-commands.ts'
import { feedCommands, feedKey, isTopicCommand, type MessageCommand } from './feed-keys.ts'
import { drawnRow, rowsInView } from './feed-place.ts'
import { barInset } from './feed-scroll.ts'
import { closedText } from './plain-text.ts'
import { canTakeBack } from './send-words.ts'

/** What the keyboard walk needs from a feed. */
interface WalkParts {
  scroller(): HTMLElement | null
  shown(): Pick<Feed, 'messages' | 'waiting'>
  readonly acts: FeedActs
  ownUserId(): number
  uses24HourClock(): boolean
  /** `whenThere` is called as soon as that end of the feed is drawn. */
  toFirst(whenThere: () => void): void
  toLast(whenThere: () => void): void
}

/** What a key acts on. */
type Subject =
  | { readonly kind: 'message'; readonly message: FeedMessage }
  | { readonly kind: 'waiting'; readonly message: WaitingMessage }

/** How many pixels of a page stay in view when the feed is paged. */
const overlapPx = 60

/** Which message the keyboard is at, and what the keys do. */
export class FeedWalk {
  /** The key of the row that has the focus now. */
  focus = $state.raw<string | null>(null)
  /** The row that had the focus last; the Tab key returns to it. */
  selected = $state.raw<string | null>(null)
  readonly #parts: WalkParts
  /** Where in the feed the focus was before the rows changed: in a row, or beside them; null if it was elsewhere. */
  #had: { readonly key: string | null; readonly above: readonly string[] } | null = null

  constructor(parts: WalkParts) {
    this.#parts = parts
  }

  /** The focus entered the row of a message, or left it. */
  focused(key: string | null): void {
    this.focus = key
    if (key !== null) this.selected = key
  }

  /** Has the row of another feed that this one continues take the focus once it is drawn. */
  goOnAt(key: string): void {
    this.#had = { key, above: [] }
  }

  /** To be called just before the rows change. */
  before(): void {
    const scroller = this.#parts.scroller()
    const active = document.activeElement
    this.#had = null
    if (scroller === null || !scroller.contains(active)) return
    const row = active?.closest<HTMLElement>('.msg[data-row]') ?? null
    const rows = messageRows(scroller)
    this.#had = {
      key: row?.dataset['row'] ?? null,
      above: row === null ? [] : rows.slice(0, rows.indexOf(row)).map((one) => one.dataset['row'] ?? ''),
    }
  }

  /**
   * To be called just after. A focus that was lost with its row moves to the row in its place, otherwise to what is in
   * view.
   */
  after(): void {
    const scroller = this.#parts.scroller()
    const had = this.#had
    if (had === null || scroller === null || !isResting(document.activeElement)) return
    const rows = messageRows(scroller)
    const above = rows.findLastIndex(({ dataset }) => had.above.includes(dataset['row'] ?? ''))
    const row =
      rows.find(({ dataset }) => dataset['row'] === had.key) ??
      (had.key === null || above === -1 ? this.#inView(scroller) : (rows[above + 1] ?? rows[above]))
    row?.focus({ preventScroll: true })
  }

  /** Focuses a message, or what is in view if the message is gone. */
  focusOn(id: MessageId | LocalId): void {
    const scroller = this.#parts.scroller()
    if (scroller === null) return
    const row = drawnRow(scroller, String(id)) ?? this.#inView(scroller)
    row?.focus({ preventScroll: true })
  }

  /** The message that takes the place of one that goes: the next, otherwise the previous one. */
  beside(id: MessageId): MessageId | LocalId | null {
    const scroller = this.#parts.scroller()
    const rows = scroller === null ? [] : messageRows(scroller)
    const at = rows.findIndex(({ dataset }) => dataset['row'] === String(id))
    const subject = at === -1 ? undefined : this.#of(rows[at + 1] ?? rows[at - 1])
    return subject === undefined
      ? null
      : subject.kind === 'message'
        ? subject.message.id
        : subject.message.localId
  }

  /** The actions for the current message, with the names of their shortcuts. */
  offered(): Doable[] {
    const scroller = this.#parts.scroller()
    if (scroller === null) return []
    // The palette that calls this has the focus now; it shows the message's name beside its actions.
    const subject = this.#subject() ?? this.#of(this.#selectedInView(scroller))
    const topicMessage = (subject?.kind === 'message' ? subject.message : null) ?? this.#ofOneTopic()
    return feedCommands.flatMap(({ name, command }): Doable[] => {
      if (isTopicCommand(command)) {
        if (topicMessage === undefined) return []
        const words = topicWords(command, topicMessage, this.#parts.acts.moveOf(topicMessage.conversation))
        const { recipient } = topicMessage
        if (recipient.kind !== 'topic' || !this.#mayBeDone(command, topicMessage)) return []
        const object = topicWithoutMark(recipient.topic)
        return [{ name, words, object, run: () => this.#onMessage(scroller, command, topicMessage) }]
      }
      if (subject?.kind === 'waiting') {
        const act = waitingAct(this.#parts.acts, command, subject.message)
        const object = closedText(subject.message.contentHtml, this.#parts.uses24HourClock()).slice(0, 60)
        return act === null ? [] : [{ name, object, ...act }]
      }
      if (subject === undefined || !this.#mayBeDone(command, subject.message)) return []
      const { message } = subject
      const object = t.feed.announced(
        message.senderName,
        closedText(message.contentHtml, this.#parts.uses24HourClock()).slice(0, 60),
      )
      return [{ name, object, run: () => this.#onMessage(scroller, command, message) }]
    })
  }

  /**
   * False for what the organization is known to forbid. Permissions that are not known yet are checked by the action.
   */
  #mayBeDone(command: MessageCommand, message: FeedMessage): boolean {
    const { permissions } = this.#parts.acts
    switch (command) {
      case 'resolve': {
        const { conversation } = message
        const may = permissions.in(conversation)?.messages ?? { resolve: true }
        return conversation.kind === 'topic' && mayResolve(may, conversation.topic)
      }
      case 'delete':
      case 'remind':
      case 'report':
        return permissions.for(message)?.[command] !== false
      case 'unread-from-here':
        return permissions.for(message)?.markUnread !== false
      case 'retry':
        return false
      default:
        return true
    }
  }

  /** Handles a key; returns whether it was meant for the feed. */
  onKey(event: KeyboardEvent): boolean {
    const scroller = this.#parts.scroller()
    const target = event.target instanceof Element ? event.target : null
    if (event.defaultPrevented || scroller === null || (isTyping(target) && !isCheckbox(target))) return false
    if (target?.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') != null)
      return false
    const key = feedKey(event)
    if (key === null) return false
    // Outside the feed, named keys belong to the focused element; letters belong to the feed everywhere.
    const isInFeed = isResting(target) || scroller.contains(target)
    if (!isInFeed && event.key.length > 1) return false
    if (target !== null && usesKey(target, event.key)) return false
    const isDone = this.#does(scroller, key)
    if (isDone) event.preventDefault()
    return isDone
  }

  #does(scroller: HTMLElement, key: NonNullable<ReturnType<typeof feedKey>>): boolean {
    switch (key.kind) {
      case 'step':
        this.#step(scroller, key.by)
        return true
      case 'page':
        this.#page(scroller, key.by)
        return true
      case 'first':
        this.#parts.toFirst(() => this.#focusEnd(scroller, 0))
        return true
      case 'last':
        this.#parts.toLast(() => this.#focusEnd(scroller, -1))
        return true
      case 'edit-last': {
        const { messages, waiting } = this.#parts.shown()
        const queued = waiting.at(-1)
        if (queued !== undefined && canTakeBack(queued.state)) {
          this.#parts.acts.words.takeBack(queued)
          return true
        }
        const last = messages.findLast(({ senderId }) => senderId === this.#parts.ownUserId())
        if (last === undefined) return false
        const row = drawnRow(scroller, String(last.id))
        if (row !== null) show(scroller, row)
        this.#parts.acts.edit(last)
        return true
      }
      case 'command': {
        // The browser copies what is selected, wherever it is.
        if (key.name === 'copy-text' && (getSelection()?.toString() ?? '') !== '') return false
        const subject = this.#subject()
        if (subject !== undefined && this.#command(scroller, key.name, subject)) return true
        const isOfTopic = isTopicCommand(key.name) || key.name === 'open-conversation'
        const ofTopic = isOfTopic ? this.#ofOneTopic() : undefined
        if (ofTopic !== undefined) return this.#onMessage(scroller, key.name, ofTopic)
        if (subject !== undefined) return false
        // The first key only shows which message is current; the next one acts on it. A reply acts at once, because the
        // compose box shows what it replies to.
        const begun = this.#begin(scroller)
        if (begun !== undefined && key.name === 'reply') this.#parts.acts.words.reply(begun.message)
        return begun !== undefined
      }
    }
  }

  /** Replies to the current message, or to the one where reading begins. */
  reply(): void {
    const scroller = this.#parts.scroller()
    if (scroller === null) return
    const subject = this.#subject() ?? this.#begin(scroller)
    if (subject !== undefined) this.#parts.acts.words.reply(subject.message)
  }

  /** Focuses the reader's last row; otherwise the first unread row in view, or the last row in view. */
  #begin(scroller: HTMLElement): Subject | undefined {
    const rows = rowsInView(scroller, barInset)
    const row =
      this.#selectedInView(scroller) ??
      rows.find((one) => {
        const subject = this.#of(one)
        return subject?.kind === 'message' && subject.message.isUnread
      }) ??
      rows.at(-1)
    row?.focus({ preventScroll: true })
    return this.#of(row)
  }

  #step(scroller: HTMLElement, by: 1 | -1): void {
    const rows = messageRows(scroller)
    const focused = document.activeElement?.closest<HTMLElement>('.msg') ?? null
    const at = focused === null ? -1 : rows.indexOf(focused)
    const next = at >= 0 ? rows[at + by] : this.#inView(scroller)
    if (next !== undefined) show(scroller, next)
    else if (by === 1) scroller.scrollTop = scroller.scrollHeight
    else scroller.scrollTop = 0
  }

  #selectedInView(scroller: HTMLElement): HTMLElement | undefined {
    return rowsInView(scroller, barInset).find(({ dataset }) => dataset['row'] === this.selected)
  }

  #inView(scroller: HTMLElement): HTMLElement | undefined {
    return this.#selectedInView(scroller) ?? rowsInView(scroller, barInset).at(-1)
  }

  #page(scroller: HTMLElement, by: 1 | -1): void {
    scroller.scrollTop += by * (scroller.clientHeight - barInset - overlapPx)
    rowsInView(scroller, barInset)
      .at(by === 1 ? -1 : 0)
      ?.focus({ preventScroll: true })
  }

  /** Focuses the first or last row, unless the person went on to something beside the feed meanwhile. */
  #focusEnd(scroller: HTMLElement, at: 0 | -1): void {
    const active = document.activeElement
    if (isResting(active) || scroller.contains(active))
      messageRows(scroller).at(at)?.focus({ preventScroll: true })
  }

  /** What the keys act on: the message that has the focus, so that the person sees it. */
  #subject(): Subject | undefined {
    const scroller = this.#parts.scroller()
    return scroller === null || this.focus === null ? undefined : this.#of(drawnRow(scroller, this.focus))
  }

  #of(row: HTMLElement | null | undefined): Subject | undefined {
    const key = row?.dataset['row']
    const { messages, waiting } = this.#parts.shown()
    const message = messages.find(({ id }) => String(id) === key)
    if (message !== undefined) return { kind: 'message', message }
    const item = waiting.find(({ localId }) => localId === key)
    return item === undefined ? undefined : { kind: 'waiting', message: item }
  }

  /** Any message of the feed if all belong to one topic; otherwise undefined. */
  #ofOneTopic(): FeedMessage | undefined {
    const { messages } = this.#parts.shown()
    const first = messages[0]
    if (first === undefined) return undefined
    const key = conversationKey(first.conversation)
    return messages.every(({ conversation }) => conversationKey(conversation) === key) ? first : undefined
  }

  #command(scroller: HTMLElement, name: MessageCommand, subject: Subject): boolean {
    if (subject.kind === 'message') return this.#onMessage(scroller, name, subject.message)
    const act = waitingAct(this.#parts.acts, name, subject.message)
    act?.run()
    return act !== null
  }

  #onMessage(scroller: HTMLElement, name: MessageCommand, message: FeedMessage): boolean {
    return actOnMessage(this.#parts.acts, name, message, drawnRow(scroller, String(message.id)))
  }
}

const isCheckbox = (target: Element | null): boolean => target?.matches('input[type="checkbox"]') === true

/** Whether a key presses, plays or scrolls the focused element. */
function usesKey(target: Element, key: string): boolean {
  const isIn = (selector: string) => target.closest(selector) !== null
  if (key === ' ' || key === 'Enter') return isIn('button, a, input, [role="button"], summary, video, audio')
  return (
    (isIn('video, audio') && key.length > 1) ||
    (isIn('pre, table, .katex-display') && (key === 'ArrowLeft' || key === 'ArrowRight'))
  )
}

/** All drawn messages, including waiting ones, in order. */
const messageRows = (scroller: HTMLElement): HTMLElement[] => [
  ...scroller.querySelectorAll<HTMLElement>('.msg[data-row]'),
]

/** Focuses a row and scrolls it into view below the bar; a row taller than the view starts at its top. */
function show(scroller: HTMLElement, row: HTMLElement): void {
  row.focus({ preventScroll: true })
  const view = scroller.getBoundingClientRect()
  const box = row.getBoundingClientRect()
  const above = box.top - view.top - barInset
  const below = box.bottom - view.bottom + 8
  if (above < 0) scroller.scrollTop += above
  else if (below > 0) scroller.scrollTop += Math.min(below, above)
}
