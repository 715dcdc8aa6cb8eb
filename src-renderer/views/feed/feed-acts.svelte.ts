import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { accountId as asAccountId, type LocalId, type MessageId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import {
  conversationKey,
  topicConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import { isResolved } from '../../../src-shared/topic-names.ts'
import type {
  Emoji,
  FeedMessage,
  TopicVisibility,
  WaitingMessage,
} from '../../../src-shared/model/message.ts'
import { moveIn, type TopicMove } from '../../../src-shared/model/move.ts'
import { narrowKey, type Narrow } from '../../../src-shared/model/narrow.ts'
import { mayResolve } from '../../../src-shared/model/permissions.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { failureText } from '../../state/failure-text.ts'
import { toggleMute } from '../../state/reading/mute-topic.ts'
import { noteMove, resolveTopic } from '../../state/reading/own-move.ts'
import { route, type Route } from '../../state/navigation/route.svelte.ts'
import { toasts, type Toast } from '../../state/toast.svelte.ts'
import { futureTime } from '../../time.ts'
import { FeedPermissions, mayOpen, type AllowedActs, type MessageDialog } from './feed-permissions.svelte.ts'
import { MessageWords } from './message-words.ts'
import type { Picture } from './pictures.ts'

type WidgetStep = Extract<ActionInput, { name: 'widget-step' }>['step']

/**
 * What a reader can do with the messages of a feed, those that wait to be sent and its topics, and the dialogs that this
 * opened. Each action works offline unless it says otherwise.
 */
export class FeedActs {
  /** Why the last action failed; null if it did not. */
  problem = $state.raw<string | null>(null)
  dialog = $state.raw<{ readonly kind: MessageDialog | 'move-topic'; readonly message: FeedMessage } | null>(
    null,
  )
  /** The message whose source is open in its place. */
  editing = $state.raw<{ readonly id: MessageId; readonly mayChange: boolean } | null>(null)
  deleting = $state.raw<FeedMessage | null>(null)
  /** The refused message whose ways out are on screen. */
  reviewing = $state.raw<WaitingMessage | null>(null)
  /** What the person is asked to discard, and the row that shows it. */
  discarding = $state.raw<
    | (Pick<WaitingMessage, 'localId' | 'contentHtml' | 'state'> & {
        readonly action: 'send-message' | 'edit-message'
        readonly row: MessageId | LocalId
      })
    | null
  >(null)
  choosing = $state.raw<{ readonly message: FeedMessage; readonly anchor: HTMLElement } | null>(null)
  /** The pictures that are viewed, and the message that has them. */
  viewing = $state.raw<{
    readonly message: FeedMessage
    readonly pictures: readonly Picture[]
    readonly index: number
  } | null>(null)
  /** Answers, quotes and copies of messages. */
  readonly words: MessageWords
  /** The organization's permissions for messages. */
  readonly permissions: FeedPermissions
  /** Whether it went on from the feed of the topic's former name. */
  readonly goesOn: boolean
  /** The acts of the topic's next name, with what is open here. */
  #next: FeedActs | null = null
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #narrow: Narrow
  readonly #isOnline: () => boolean
  readonly #whenBack: () => string
  readonly #uses24HourClock: () => boolean
  readonly #onUnreadFrom: (id: MessageId) => void
  readonly #moving: () => readonly TopicMove[]

  constructor(parts: {
    /**
     * The acts of the feed that showed this topic under its former name: what is open there goes on here. Whole: the
     * topic moved with all its messages, also those that wait to be sent.
     */
    readonly before: { readonly acts: FeedActs; readonly isWhole: boolean } | null
    readonly bridge: Bridge
    readonly accountId: string
    readonly narrow: Narrow
    account(): Account
    isOnline(): boolean
    /** As `useWhenBack`. */
    whenBack(): string
    uses24HourClock(): boolean
    /** The person wants messages from this one on to stay unread, although they are in view. */
    onUnreadFrom(id: MessageId): void
    /** The topics of this feed whose messages wait to be moved. */
    moving(): readonly TopicMove[]
  }) {
    this.#bridge = parts.bridge
    this.#accountId = parts.accountId
    this.#narrow = parts.narrow
    this.#isOnline = () => parts.isOnline()
    this.#whenBack = () => parts.whenBack()
    this.#uses24HourClock = () => parts.uses24HourClock()
    this.words = new MessageWords({ ...parts, attempt: (work) => this.#try(work) })
    // Those that are known already keep an open dialog usable while the new place is asked for its own.
    this.permissions =
      parts.before?.acts.permissions ??
      new FeedPermissions(parts.bridge, parts.accountId, parts.account().userId)
    this.#onUnreadFrom = (id) => parts.onUnreadFrom(id)
    this.#moving = () => parts.moving()
    this.goesOn = parts.before !== null
    if (parts.before !== null) this.#goOnFrom(parts.before.acts, parts.before.isWhole)
  }

  /** Opens what is open in another feed, about the same messages, which are in the conversation of this feed now. */
  #goOnFrom(before: FeedActs, isWhole: boolean): void {
    before.#next = this
    const here = this.#narrow
    const moved = <T extends { readonly conversation: Conversation }>(message: T): T =>
      here.kind === 'topic' ? { ...message, conversation: here } : message
    this.dialog = before.dialog && { ...before.dialog, message: moved(before.dialog.message) }
    this.deleting = before.deleting && moved(before.deleting)
    this.reviewing = before.reviewing && (isWhole ? moved(before.reviewing) : before.reviewing)
    this.discarding = before.discarding
    this.choosing = before.choosing && { ...before.choosing, message: moved(before.choosing.message) }
    this.viewing = before.viewing && { ...before.viewing, message: moved(before.viewing.message) }
  }

  /** Puts a change into the outbox; resolves with whether it is stored there. */
  async act(action: ActionInput): Promise<boolean> {
    return (await this.#put(action)) !== null
  }

  /** Resolves with what a toast of the change needs; null if it is not stored. */
  async #put(action: ActionInput): Promise<NonNullable<Toast['change']> | null> {
    const accountId = this.#accountId
    return this.#try(async () => ({ accountId, ...(await this.#bridge.call('act', { accountId, action })) }))
  }

  react(messageId: MessageId, emoji: Emoji, on: boolean): void {
    void this.act({ name: 'react', messageId, emoji, on })
  }

  /** Opens the emoji picker beside the pressed element. */
  chooseEmoji(message: FeedMessage, anchor: HTMLElement): void {
    this.choosing = { message, anchor }
  }

  star(message: FeedMessage): void {
    void this.act({ name: 'star-message', messageIds: [message.id], on: !message.isStarred })
  }

  /** Collapses its text on all devices, or shows it again. */
  collapse(message: FeedMessage): void {
    void this.act({ name: 'collapse-message', messageIds: [message.id], on: !message.isCollapsed })
  }

  edit(message: FeedMessage): void {
    // Everybody may see the source. Whether it can be changed is settled once, as nobody is to lose a box while writing.
    const start = (mayChange: boolean) => (this.editing = { id: message.id, mayChange })
    this.#ifAllowed(
      message,
      (may) => may.edit,
      () => start(true),
      () => start(false),
    )
  }

  /** Opens a dialog about the message. */
  open(kind: MessageDialog | 'move-topic', message: FeedMessage): void {
    this.#ifAllowed(
      message,
      (may) => mayOpen(kind, may),
      () => (this.dialog = { kind, message }),
    )
  }

  /**
   * Acts at once if the permissions are known to allow it: until something opens, the keys belong to the message. The
   * engine is asked before anything is refused.
   */
  #ifAllowed(
    message: FeedMessage,
    isSo: (may: AllowedActs) => boolean,
    act: () => void,
    otherwise = () => this.#say(t.feed.notes.notAllowed),
  ): void {
    const known = this.permissions.for(message)
    if (known !== undefined && isSo(known)) {
      this.problem = null
      act()
      return
    }
    void this.#try(async () => {
      if (isSo(await this.permissions.ask(message))) act()
      else otherwise()
    })
  }

  /** Adds a vote, an option, a task or a tick; resolves with whether it is stored. */
  step(messageId: MessageId, step: WidgetStep): Promise<boolean> {
    return this.act({ name: 'widget-step', messageId, step })
  }

  /** Resolves with whether the reminder is set, or will be. */
  async remind(message: FeedMessage, at: number, note = ''): Promise<boolean> {
    const change = await this.#put({ name: 'remind-me', messageId: message.id, at, note })
    if (change === null) return false
    const when = futureTime(at, Date.now(), this.#uses24HourClock())
    const { now, later } = t.feed.notes.reminded
    this.#say(this.#isOnline() ? now(when) : later(when, this.#whenBack()), change)
    return true
  }

  /** Puts the change of a dialog into the outbox and closes the dialog; resolves with whether that worked. */
  async finish(action: ActionInput, notes: typeof t.feed.notes.moving): Promise<boolean> {
    if (action.name === 'move-messages') noteMove(this.#accountId, action)
    const change = await this.#put(action)
    if (change === null) return false
    this.#closeDialog()
    const isOnline = this.#isOnline()
    const words = isOnline ? notes.now : notes.later(this.#whenBack())
    // A moved topic takes its feed along, so the toast needs no link.
    if (isOnline && action.name === 'move-messages' && action.which !== 'all')
      toasts.show({
        words,
        undo: null,
        to: this.#placeOf(topicConversation(action.to.channelId, action.to.topic)),
        change,
      })
    else this.#say(words, change)
    return true
  }

  /** Closes it, also if the topic got another name meanwhile. */
  #closeDialog(): void {
    this.dialog = null
    if (this.#next !== null) this.#next.#closeDialog()
  }

  /** The change of a topic that waits for the server; null if there is none. */
  moveOf(conversation: Conversation): TopicMove | null {
    return conversation.kind === 'topic' ? moveIn(this.#moving(), conversation) : null
  }

  /** Marks a topic as resolved, or removes the mark, based on the change that waits. */
  toggleTopic(messageId: MessageId, place: Extract<Conversation, { kind: 'topic' }>): void {
    const goal = this.moveOf(place)?.to ?? place
    const move = resolveTopic(messageId, goal, !isResolved(goal.topic))
    noteMove(this.#accountId, move)
    void this.act(move)
  }

  /** Marks its topic as resolved, or removes the mark. */
  toggleResolved(message: FeedMessage): void {
    const { conversation } = message
    if (conversation.kind !== 'topic') return
    void this.#try(async () => {
      const may = await this.permissions.askIn(conversation)
      if (mayResolve(may, conversation.topic)) this.toggleTopic(message.id, conversation)
      else this.#say(t.feed.notes.notAllowed)
    })
  }

  /** Opens the dialog that renames its topic or moves it elsewhere. */
  openTopicMove(message: FeedMessage): void {
    this.open('move-topic', message)
  }

  askToDelete(message: FeedMessage): void {
    this.#ifAllowed(
      message,
      (may) => may.delete,
      () => (this.deleting = message),
    )
  }

  delete(message: FeedMessage): void {
    this.deleting = null
    void this.act({ name: 'delete-message', messageId: message.id })
  }

  keepUnreadFrom(message: FeedMessage): void {
    if (this.permissions.for(message)?.markUnread === false) this.#say(t.feed.notes.noUnread)
    else this.#onUnreadFrom(message.id)
  }

  /** Opens its conversation; from its topic, opens the whole channel. */
  openConversation({ conversation }: Pick<FeedMessage, 'conversation'>): void {
    const isHere = narrowKey(this.#narrow) === conversationKey(conversation)
    if (!isHere) this.#go(conversation)
    else if (conversation.kind === 'topic') this.#go({ kind: 'channel', channelId: conversation.channelId })
  }

  /** Opens its conversation at the message; the messages around it stay unread. */
  openInContext(message: FeedMessage): void {
    route.go({
      view: 'feed',
      accountId: asAccountId(this.#accountId),
      narrow: message.conversation,
      near: message.id,
    })
  }

  /** Mutes a topic, or ends that; the person can undo it. */
  toggleMute(place: Parameters<typeof toggleMute>[2], label: Parameters<typeof toggleMute>[3]): void {
    void toggleMute(this.#bridge, this.#accountId, place, label)
  }

  setVisibility(channelId: number, topic: string, visibility: TopicVisibility): void {
    void this.act({ name: 'set-topic-visibility', channelId, topic, visibility })
  }

  showPictures(message: FeedMessage, pictures: readonly Picture[], index: number): void {
    this.viewing = { message, pictures, index }
  }

  retry(localId: LocalId): void {
    void this.#try(async () => {
      await this.#bridge.call('retry-outbox-item', { accountId: this.#accountId, localId })
    })
  }

  /** Shows why it was refused, and the ways out. */
  review(item: WaitingMessage): void {
    this.reviewing = item
  }

  /** Asks whether to discard it. */
  askToDiscard(item: WaitingMessage): void {
    this.discarding = { ...item, action: 'send-message', row: item.localId }
  }

  /** Asks whether to discard the edit that waits or was refused. */
  askToDiscardEdit({ id, waitingEdit }: FeedMessage): void {
    this.discarding = waitingEdit && { ...waitingEdit, action: 'edit-message', row: id }
  }

  #go(narrow: Narrow): void {
    route.go(this.#placeOf(narrow))
  }

  #placeOf(narrow: Narrow): Route {
    return { view: 'feed', accountId: asAccountId(this.#accountId), narrow, near: null }
  }

  /** Shows a toast for an action whose result is not visible otherwise. */
  #say(words: string, change: Toast['change'] = null): void {
    toasts.show({ words, undo: null, change })
  }

  /** Resolves with null if it failed. */
  async #try<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      const done = await work()
      this.problem = null
      return done
    } catch (error) {
      this.problem = failureText(error)
      return null
    }
  }
}
