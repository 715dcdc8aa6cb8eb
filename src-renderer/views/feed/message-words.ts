import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { accountId as asAccountId, type DraftId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import {
  conversationKey,
  directConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import type { FeedMessage, WaitingMessage } from '../../../src-shared/model/message.ts'
import { narrowKey, type Narrow } from '../../../src-shared/model/narrow.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { copyToClipboard } from '../../state/clipboard.ts'
import { goToWrite } from '../../state/navigation/go-to-write.ts'
import { isFeedOpen, type Route } from '../../state/navigation/route.svelte.ts'
import { hereFromNow } from '../../state/here-from-now.ts'
import { soon } from '../../state/soon.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { withWords } from '../../state/writing/added-words.ts'
import { newMessage } from '../../state/writing/new-message.svelte.ts'
import { openCompose } from '../../state/writing/open-compose.ts'
import { draftIn, pickedDrafts } from '../../state/writing/picked-drafts.svelte.ts'
import { messageMarkdown } from './message-markdown.ts'
import { copiedText } from './plain-text.ts'
import { messageLink, quoteText } from './quote-text.ts'

interface Parts {
  readonly bridge: Bridge
  readonly accountId: string
  /** What the feed shows. */
  readonly narrow: Narrow
  account(): Account
  uses24HourClock(): boolean
  /** Does something and says above the feed if it fails; resolves with null then. */
  attempt<T>(work: () => Promise<T>): Promise<T | null>
}

/** What a reader does with the words of a feed's messages: answers, quotes, passes on and copies them. */
export class MessageWords {
  readonly #bridge: Bridge
  readonly #accountId: string
  readonly #narrow: Narrow
  readonly #account: () => Account
  readonly #uses24HourClock: () => boolean
  readonly #attempt: Parts['attempt']
  #quoting: Promise<unknown> = Promise.resolve()

  constructor(parts: Parts) {
    this.#bridge = parts.bridge
    this.#accountId = parts.accountId
    this.#narrow = parts.narrow
    this.#account = () => parts.account()
    this.#uses24HourClock = () => parts.uses24HourClock()
    this.#attempt = (work) => parts.attempt(work)
  }

  /** Starts writing in its conversation, without leaving the feed. */
  reply({ conversation }: Pick<FeedMessage, 'conversation'>): void {
    void this.#attempt(() => this.#goOnWriting(conversation))
  }

  /** With a draft, in that one. */
  async #goOnWriting(conversation: Conversation, draftId: DraftId | null = null): Promise<void> {
    if (narrowKey(this.#narrow) !== conversationKey(conversation))
      return newMessage.answer(this.#bridge, this.#accountId, conversation, draftId)
    if (draftId !== null) return goToWrite(this.#accountId, conversation, draftId)
    await newMessage.giveWayTo(conversation)
    openCompose.current?.focus()
  }

  quote(message: FeedMessage): void {
    const stays = hereFromNow()
    // One that is asked for meanwhile stands after its words.
    this.#quoting = this.#quoting.then(() => this.#attempt(() => this.#quote(message, stays)))
  }

  async #quote(message: FeedMessage, stays: () => boolean): Promise<void> {
    const { conversation } = message
    const isHere = narrowKey(this.#narrow) === conversationKey(conversation)
    if (isHere) await newMessage.giveWayTo(conversation)
    // What is typed meanwhile is text there already, not keys of this feed.
    if (isHere && stays()) openCompose.current?.focus()
    const beginning = openCompose.of(this.#accountId, conversation)?.text
    await this.#writeIn(conversation, await this.#quoteOf(message), stays, beginning)
  }

  /** Quotes it in a new message without recipients yet. */
  forward(message: FeedMessage): void {
    void this.#attempt(async () => {
      // Text that the person is already writing to somebody is kept.
      const goesOn = newMessage.isOpen
      const start = { kind: 'topic', channelId: null, topic: '' } as const
      if (!goesOn) newMessage.open(this.#bridge, this.#accountId, start, { text: '', draftId: null })
      const { text } = newMessage
      const stays = hereFromNow()
      const words = await this.#quoteOf(message)
      if (goesOn && text === newMessage.text) openCompose.current?.append(words, { takesFocus: stays() })
      // One that was closed without a word was given up.
      else if (text === newMessage.text || text?.draftId != null) text?.append(words)
    })
  }

  /** Writes to the sender only. */
  replyDirect(message: FeedMessage): void {
    const account = this.#account()
    const people =
      message.conversation.kind === 'direct' && message.senderId === account.userId
        ? message.conversation.userIds
        : [message.senderId]
    void this.#attempt(() => goToWrite(this.#accountId, directConversation(people, account.userId)))
  }

  mention(message: FeedMessage): void {
    void this.#attempt(() =>
      this.#writeIn(message.conversation, `@**${message.senderName}|${message.senderId}** `, hereFromNow()),
    )
  }

  copyText({ contentHtml }: Pick<FeedMessage, 'contentHtml'>): void {
    void this.#copy(copiedText(contentHtml, this.#uses24HourClock()), t.feed.notes.textCopied)
  }

  copyMarkdown(message: FeedMessage): void {
    void this.#attempt(async () => this.#copy(await this.#markdownOf(message), t.feed.notes.markdownCopied))
  }

  copyLink(message: FeedMessage): void {
    void this.#copy(messageLink(this.#account(), message), t.feed.notes.linkCopied)
  }

  /** Turns it back into a draft and continues writing it. */
  takeBack({ localId, conversation }: WaitingMessage): void {
    void this.#attempt(async () => {
      const item = { accountId: this.#accountId, localId }
      const { draftId } = await this.#bridge.call('take-back-message', item)
      await this.#goOnWriting(conversation, draftId)
    })
  }

  async #quoteOf(message: FeedMessage): Promise<string> {
    const link = messageLink(this.#account(), message)
    return quoteText(message, await this.#markdownOf(message), link)
  }

  async #markdownOf(message: FeedMessage): Promise<string> {
    if (message.waitingEdit !== null) return message.waitingEdit.contentMarkdown
    const note = { words: t.feed.notes.fetchingText, undo: null }
    try {
      const asked = { accountId: this.#accountId, messageId: message.id }
      const source = await soon(this.#bridge.call('message-source', asked), () => toasts.show(note))
      if (source !== null) return source.content
    } catch {
      // The server has its reasons, or is not there.
    } finally {
      if (toasts.current === note) toasts.close()
    }
    // Without the server's copy of the source, the rendered message has to do.
    return messageMarkdown(message.contentHtml)
  }

  /**
   * Adds words to the draft of a conversation, and of no other, wherever the person is by now. Whoever stayed goes on
   * writing there. Afterwards the words are on disk, or in a field that saves them. `beginning`: what was in the field
   * when they were asked for.
   */
  async #writeIn(
    conversation: Conversation,
    words: string,
    stays: () => boolean,
    beginning?: string,
  ): Promise<void> {
    const accountId = this.#accountId
    const isHere = isFeedOpen(accountId, conversation)
    const goes = stays() && !isHere
    if (isHere && stays()) await newMessage.giveWayTo(conversation)
    const field = goes ? null : openCompose.of(accountId, conversation)
    if (field !== null) return field.append(words, { takesFocus: stays(), beginning })
    // A new message may be addressed to that conversation, whose draft it is then.
    const goesOn = newMessage.isFor(conversation)
    const closed = goes ? await newMessage.close() : null
    const picked = (goesOn ? closed : null) ?? pickedDrafts.of(accountId, conversation)
    const draft = await draftIn(this.#bridge, accountId, conversation, picked)
    const { draftId } = await this.#bridge.call('save-draft', {
      accountId,
      draftId: draft?.id ?? null,
      draft: { recipient: conversation, content: withWords(draft?.content ?? '', words) },
      basis: draft?.content ?? null,
    })
    if (goes) return goToWrite(accountId, conversation, draftId)
    pickedDrafts.pick(accountId, conversation, draftId)
    const to: Route = { view: 'feed', accountId: asAccountId(accountId), narrow: conversation, near: null }
    toasts.show({ words: t.feed.notes.quoted, undo: null, to })
  }

  async #copy(text: string, note: string): Promise<void> {
    await this.#attempt(async () => {
      await copyToClipboard(text)
      toasts.show({ words: note, undo: null })
    })
  }
}
