import type { MessageId } from '../../../src-shared/ids.ts'
import type { Feed } from '../../../src-shared/bridge/queries.ts'
import type { FeedMessage } from '../../../src-shared/model/message.ts'
import { conversationKey, isResolved, topicWithoutMark } from '../../../src-shared/model/conversation.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { isTyping } from '../../state/key-bindings.svelte.ts'
import { isResting } from '../../state/resting-focus.ts'
import { openProfile } from '../../state/open-profile.svelte.ts'
import type { Doable } from '../../state/doable.ts'
import { feedCommands, feedKey, isTopicCommand, type MessageCommand, type TopicCommand } from './feed-keys.ts'
import { drawnRow, messagesInView } from './feed-place.ts'
import { barInset } from './feed-scroll.ts'
import { plainText } from './plain-text.ts'
import { isMyReaction, thumbsUp, type MessageActs, type TopicActs } from './message-acts.ts'

/** What walking by keyboard needs of a feed. */
interface WalkParts {
  scroller(): HTMLElement | null
  messages(): Feed['messages']
  readonly acts: MessageActs & TopicActs
  ownUserId(): number
  toFirst(): void
  toLast(): void
}

/** How much of a page stays in view when the feed is paged, pixels. */
const overlapPx = 60

/** Which message the keyboard stands on, and what its keys do. */
export class FeedWalk {
  /** The message that has the focus now. */
  focus = $state.raw<MessageId | null>(null)
  /** The one that had it last: the Tab key comes back to it. */
  selected = $state.raw<MessageId | null>(null)
  readonly #parts: WalkParts
  /** Where in the feed the focus was before the rows changed: in a row, or beside them; null for not in it. */
  #had: string | null = null

  constructor(parts: WalkParts) {
    this.#parts = parts
  }

  /** The focus came into a message, or left it. */
  focused(id: MessageId | null): void {
    this.focus = id
    if (id !== null) this.selected = id
  }

  /** Just before the rows change. */
  before(): void {
    const scroller = this.#parts.scroller()
    const active = document.activeElement
    const isHere = scroller !== null && scroller.contains(active)
    this.#had = isHere ? (active?.closest<HTMLElement>('.msg[data-row]')?.dataset['row'] ?? '') : null
  }

  /** Just after: a focus that went goes to its row where that is drawn anew, else to a message that is in view. */
  after(): void {
    const scroller = this.#parts.scroller()
    if (this.#had === null || scroller === null || !isResting(document.activeElement)) return
    const next = messagesInView(scroller, barInset)
    const row =
      drawnRow(scroller, this.#had) ?? (next === null ? null : drawnRow(scroller, String(next.last)))
    row?.focus({ preventScroll: true })
  }

  focusOn(id: MessageId): void {
    const scroller = this.#parts.scroller()
    if (scroller !== null) drawnRow(scroller, String(id))?.focus({ preventScroll: true })
  }

  /** What can be done with the message that keys are about, by the names of the shortcuts. */
  offered(): Doable[] {
    const scroller = this.#parts.scroller()
    const message = scroller === null ? undefined : this.#subject(scroller)
    const topicMessage = message ?? this.#ofOneTopic()
    if (scroller === null) return []
    return feedCommands.flatMap(({ name, command }): Doable[] => {
      if (isTopicCommand(command)) {
        if (topicMessage === undefined) return []
        const words = topicWords(command, topicMessage)
        const { recipient } = topicMessage
        if (recipient.kind !== 'topic' || !this.#mayBeDone(command, topicMessage)) return []
        const object = topicWithoutMark(recipient.topic)
        return [{ name, words, object, run: () => this.#command(scroller, command, topicMessage) }]
      }
      if (message === undefined || !this.#mayBeDone(command, message)) return []
      const object = t.feed.announced(message.senderName, plainText(message.contentHtml).slice(0, 60))
      return [{ name, object, run: () => this.#command(scroller, command, message) }]
    })
  }

  /** False for what the organization is known to forbid; what is not known yet is asked when it is done. */
  #mayBeDone(command: MessageCommand, message: FeedMessage): boolean {
    const { permissions } = this.#parts.acts
    switch (command) {
      case 'resolve':
        return permissions.in(message.conversation)?.messages.resolve !== false
      case 'delete':
      case 'remind':
      case 'report':
        return permissions.for(message)?.[command] !== false
      default:
        return true
    }
  }

  /** Does what a key says; answers whether it was the feed's. */
  onKey(event: KeyboardEvent): boolean {
    const scroller = this.#parts.scroller()
    if (event.defaultPrevented || event.isComposing || scroller === null || isTyping(event.target))
      return false
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') != null)
      return false
    const key = feedKey(event)
    if (key === null) return false
    // Elsewhere these keys belong to what has the focus; letters are the feed's everywhere.
    const isInFeed = isResting(target) || scroller.contains(target)
    if (!isInFeed && event.key.length > 1) return false
    const isOnControl =
      target !== null && target.closest('button, a, [role="button"], summary, video, audio') !== null
    if (isOnControl && (event.key === ' ' || event.key === 'Enter')) return false
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
        this.#parts.toFirst()
        return true
      case 'last':
        this.#parts.toLast()
        this.#focusEnd(scroller)
        return true
      case 'edit-last': {
        const last = this.#parts.messages().findLast(({ senderId }) => senderId === this.#parts.ownUserId())
        if (last === undefined) return false
        const row = drawnRow(scroller, String(last.id))
        if (row !== null) show(scroller, row)
        this.#parts.acts.edit(last)
        return true
      }
      case 'command': {
        const isOfTopic = isTopicCommand(key.name) || key.name === 'open-conversation'
        const message = this.#subject(scroller) ?? (isOfTopic ? this.#ofOneTopic() : undefined)
        if (message !== undefined) return this.#command(scroller, key.name, message)
        // Not before one sees on which: the first key shows it. An answer says itself to what it is.
        const begun = this.#begin(scroller)
        if (begun !== undefined && key.name === 'reply') this.#parts.acts.reply(begun)
        return begun !== undefined
      }
    }
  }

  /** Answers the message that keys are about, or the one where reading begins. */
  reply(): void {
    const scroller = this.#parts.scroller()
    if (scroller === null) return
    const message = this.#subject(scroller) ?? this.#begin(scroller)
    if (message !== undefined) this.#parts.acts.reply(message)
  }

  /** Goes to where reading begins in what is in view: the first unread message, else the last one. */
  #begin(scroller: HTMLElement): FeedMessage | undefined {
    const view = messagesInView(scroller, barInset)
    if (view === null) return undefined
    const messages = this.#parts.messages().filter(({ id }) => view.first <= id && id <= view.last)
    const message = messages.find(({ isUnread }) => isUnread) ?? messages.at(-1)
    if (message !== undefined) this.focusOn(message.id)
    return message
  }

  #step(scroller: HTMLElement, by: 1 | -1): void {
    const rows = [...scroller.querySelectorAll<HTMLElement>('.msg')]
    const focused = document.activeElement?.closest<HTMLElement>('.msg') ?? null
    const at = focused === null ? -1 : rows.indexOf(focused)
    const next = at >= 0 ? rows[at + by] : this.#inView(scroller)
    if (next !== undefined) show(scroller, next)
    else if (by === 1) scroller.scrollTop = scroller.scrollHeight
    else scroller.scrollTop = 0
  }

  #inView(scroller: HTMLElement): HTMLElement | undefined {
    const { selected } = this
    const view = messagesInView(scroller, barInset)
    if (view === null) return undefined
    const isInView = selected !== null && view.first <= selected && selected <= view.last
    return drawnRow(scroller, String(isInView ? selected : view.last)) ?? undefined
  }

  #page(scroller: HTMLElement, by: 1 | -1): void {
    scroller.scrollTop += by * (scroller.clientHeight - barInset - overlapPx)
    const view = messagesInView(scroller, barInset)
    if (view === null) return
    drawnRow(scroller, String(by === 1 ? view.last : view.first))?.focus({ preventScroll: true })
  }

  #focusEnd(scroller: HTMLElement): void {
    const last = [...scroller.querySelectorAll<HTMLElement>('.msg[data-message-id]')].at(-1)
    last?.focus({ preventScroll: true })
  }

  /** The message that keys are about: the focused one, else the one that was, while it is in view. */
  #subject(scroller: HTMLElement): FeedMessage | undefined {
    const view = messagesInView(scroller, barInset)
    const { selected } = this
    const isInView = view !== null && selected !== null && view.first <= selected && selected <= view.last
    const id = this.focus ?? (isInView ? selected : null)
    return id === null ? undefined : this.#parts.messages().find((message) => message.id === id)
  }

  /** Any message, where all are of one topic. */
  #ofOneTopic(): FeedMessage | undefined {
    const messages = this.#parts.messages()
    const first = messages[0]
    if (first === undefined) return undefined
    const key = conversationKey(first.conversation)
    return messages.every(({ conversation }) => conversationKey(conversation) === key) ? first : undefined
  }

  #command(scroller: HTMLElement, name: MessageCommand, message: FeedMessage): boolean {
    const { acts } = this.#parts
    const row = drawnRow(scroller, String(message.id))
    const press = (selector: string): boolean => {
      const button = row?.querySelector<HTMLElement>(selector) ?? null
      button?.click()
      return button !== null
    }
    switch (name) {
      case 'copy-text':
        if ((getSelection()?.toString() ?? '') !== '') return false
        acts.copyText(message)
        return true
      case 'copy-link':
        acts.copyLink(message)
        return true
      case 'choose-emoji':
        if (row === null) return false
        acts.chooseEmoji(message, row.querySelector<HTMLElement>('.mt [data-chooses-reaction]') ?? row)
        return true
      case 'thumbs-up':
        acts.react(message.id, thumbsUp, !isMyReaction(message, thumbsUp))
        return true
      case 'first-reaction': {
        const [first] = message.reactions
        if (first !== undefined) acts.react(message.id, first.emoji, !first.isMine)
        return first !== undefined
      }
      case 'collapse':
        // What is long is folded on this device alone, as long as its text is shown at all.
        if (message.isCollapsed || !press('.more-text')) acts.collapse(message)
        return true
      case 'show-picture':
        return press('.message_inline_image a img')
      case 'move':
        if (message.conversation.kind !== 'topic') return false
        acts.open('move', message)
        return true
      case 'history':
      case 'readers':
      case 'remind':
      case 'report':
        acts.open(name, message)
        return true
      case 'delete':
        acts.askToDelete(message)
        return true
      case 'menu':
        row
          ?.querySelector('.mt [aria-haspopup="menu"]')
          ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
        return row !== null
      case 'edit':
        acts.edit(message)
        return true
      case 'reply':
        acts.reply(message)
        return true
      case 'quote':
        acts.quote(message)
        return true
      case 'forward':
        acts.forward(message)
        return true
      case 'reply-direct':
        acts.replyDirect(message)
        return true
      case 'mention':
        acts.mention(message)
        return true
      case 'star':
        acts.star(message)
        return true
      case 'unread-from-here':
        acts.keepUnreadFrom(message)
        return true
      case 'context':
        acts.openInContext(message)
        return true
      case 'open-conversation':
        acts.openConversation(message)
        return true
      case 'profile': {
        const anchor = row?.querySelector<HTMLElement>('.who .name') ?? row
        if (anchor != null) openProfile.open({ kind: 'person', userId: message.senderId }, anchor)
        return anchor != null
      }
      case 'visibility':
      case 'follow':
      case 'resolve':
      case 'move-topic':
        return this.#topicCommand(name, message)
    }
  }

  #topicCommand(name: TopicCommand, message: FeedMessage): boolean {
    const { acts } = this.#parts
    const { recipient, conversation } = message
    if (recipient.kind !== 'topic' || conversation.kind !== 'topic') return false
    const { channelId, topic } = conversation
    switch (name) {
      case 'visibility':
        acts.setVisibility(channelId, topic, recipient.visibility === 'muted' ? 'none' : 'muted')
        return true
      case 'follow':
        acts.setVisibility(channelId, topic, recipient.visibility === 'followed' ? 'none' : 'followed')
        return true
      case 'resolve':
        acts.toggleResolved(message)
        return true
      case 'move-topic':
        acts.openTopicMove(message)
        return true
    }
  }
}

/** What a command does to the topic of a message, in words. */
function topicWords(command: TopicCommand, { recipient, conversation }: FeedMessage): string {
  const visibility = recipient.kind === 'topic' ? recipient.visibility : 'none'
  const words = t.feed.topic
  switch (command) {
    case 'visibility':
      return visibility === 'muted' ? words.unmute : words.mute
    case 'follow':
      return visibility === 'followed' ? words.unfollow : words.follow
    case 'resolve': {
      const isDone = conversation.kind === 'topic' && isResolved(conversation.topic)
      return isDone ? words.unresolveThis : words.resolveThis
    }
    case 'move-topic':
      return words.renameOrMove
  }
}

/** Focuses a row and brings it into view below the bar; one that is taller than the view begins at its top. */
function show(scroller: HTMLElement, row: HTMLElement): void {
  row.focus({ preventScroll: true })
  const view = scroller.getBoundingClientRect()
  const box = row.getBoundingClientRect()
  const above = box.top - view.top - barInset
  const below = box.bottom - view.bottom + 8
  if (above < 0) scroller.scrollTop += above
  else if (below > 0) scroller.scrollTop += Math.min(below, above)
}
