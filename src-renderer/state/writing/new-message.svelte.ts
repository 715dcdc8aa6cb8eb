import { tick } from 'svelte'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ChannelId, DraftId, UserId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import { typedTopic } from '../../../src-shared/topic-names.ts'
import type { Person } from '../../../src-shared/model/user.ts'
import { ComposeText, type HandedText } from './compose.svelte.ts'
import { once } from '../data/once.ts'

/** The initial content of a new message. */
export type NewMessageStart =
  | { readonly kind: 'topic'; readonly channelId: ChannelId | null; readonly topic: string }
  | { readonly kind: 'direct'; readonly people: readonly Person[] }

/** A message whose recipients are still being chosen. There is at most one; every view shows it at its bottom. */
class NewMessage {
  #text = $state.raw<ComposeText | null>(null)
  kind = $state<'topic' | 'direct'>('topic')
  channelId = $state.raw<ChannelId | null>(null)
  topic = $state('')
  /** The name under which the topic without a name is shown; whoever types it means that topic. */
  emptyTopicName = $state.raw<string | null>(null)
  people = $state.raw<readonly Person[]>([])
  /** Rises each time a new message is requested, so that the field takes the focus again. */
  asked = $state(0)

  /** The text; null while no new message is open. */
  get text(): ComposeText | null {
    return this.#text
  }

  get isOpen(): boolean {
    return this.#text !== null
  }

  /**
   * Opens it, or changes the recipients of the open one, whose text stays. A text taken over from elsewhere replaces
   * the typed text, which stays as a draft.
   */
  open(bridge: Bridge, accountId: string, start: NewMessageStart, taken?: HandedText): void {
    if (taken !== undefined && this.#text !== null) void this.close()
    if (this.#text === null) {
      this.#text =
        taken === undefined
          ? ComposeText.open(bridge, accountId, null)
          : new ComposeText(bridge, accountId, null)
      this.#text.whenMoved((to) => {
        if (to.kind !== 'topic' || this.kind !== 'topic') return
        this.channelId = to.channelId
        this.topic = to.topic
        this.readdress()
      })
    }
    this.kind = start.kind
    if (start.kind === 'topic') {
      this.channelId = start.channelId
      this.topic = start.topic
    } else this.people = start.people
    this.readdress()
    if (taken !== undefined) this.#text.takeOver(taken)
    this.asked++
  }

  /** Whether a message of that kind (to topics, or to people) is open already; then it is continued. */
  goesOn(kind: NewMessageStart['kind']): boolean {
    const isOpen = this.isOpen && this.kind === kind
    if (isOpen) this.asked++
    return isOpen
  }

  /**
   * Opens it for a conversation, with the given draft or the newest; if it is addressed to that conversation already, it
   * continues.
   */
  async answer(
    bridge: Bridge,
    accountId: string,
    conversation: Conversation,
    draftId: DraftId | null = null,
  ): Promise<void> {
    if (this.isFor(conversation) && (draftId === null || draftId === this.#text?.draftId)) {
      this.asked++
      return
    }
    const draft = await (draftId === null
      ? once(bridge, 'conversation-draft', { accountId, conversation })
      : once(bridge, 'draft', { accountId, draftId }))
    const start: NewMessageStart =
      conversation.kind === 'topic'
        ? conversation
        : {
            kind: 'direct',
            people: await once(bridge, 'direct-people', { accountId, userIds: conversation.userIds }),
          }
    this.open(bridge, accountId, start, { text: draft?.content ?? '', draftId: draft?.id ?? null })
  }

  /** The conversation chosen so far; null while it is incomplete. */
  get conversation(): Conversation | null {
    if (this.kind === 'topic') {
      return this.channelId === null
        ? null
        : { kind: 'topic', channelId: this.channelId, topic: typedTopic(this.topic, this.emptyTopicName) }
    }
    const userIds: UserId[] = this.people.filter(({ isSelf }) => !isSelf).map(({ userId }) => userId)
    return this.people.length === 0 ? null : { kind: 'direct', userIds: userIds.toSorted((a, b) => a - b) }
  }

  /**
   * Whether a conversation differs from this message's recipient. While nobody is chosen, none differs. While the
   * topic is not chosen, no conversation of the chosen channel differs.
   */
  isElsewhere(conversation: Conversation): boolean {
    const own = this.isOpen ? this.conversation : null
    if (own === null) return false
    return own.kind === 'topic' && own.topic === '' && conversation.kind === 'topic'
      ? own.channelId !== conversation.channelId
      : conversationKey(own) !== conversationKey(conversation)
  }

  /**
   * Closes it if it is not addressed to the open conversation, whose own box appears then; when this resolves, that
   * box is there.
   */
  async giveWayTo(conversation: Conversation): Promise<void> {
    if (!this.isOpen || this.isFor(conversation)) return
    await this.close()
    await tick()
  }

  /** Whether it is open and addressed to that conversation. */
  isFor(conversation: Conversation): boolean {
    const own = this.conversation
    return own !== null && conversationKey(own) === conversationKey(conversation)
  }

  /** The recipients changed: addresses the text to them. */
  readdress(): void {
    this.#text?.address(this.conversation)
  }

  /** Closes it; the text stays as a draft, which is on disk when this resolves to its id; null without words. */
  async close(): Promise<DraftId | null> {
    const text = this.#text
    this.#text = null
    this.channelId = null
    this.topic = ''
    this.people = []
    await text?.leave()
    return text?.draftId ?? null
  }
}

export const newMessage = new NewMessage()
