import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { LocalId, MessageId } from '../../../src-shared/ids.ts'
import type {
  Emoji,
  FeedMessage,
  TopicVisibility,
  WaitingMessage,
} from '../../../src-shared/model/message.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { TopicMove } from '../../../src-shared/model/move.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import type { FeedPermissions } from './feed-permissions.svelte.ts'
import type { Picture } from './pictures.ts'

export type WidgetStep = Extract<ActionInput, { name: 'widget-step' }>['step']

/** Dialogs about one message. */
export type MessageDialog = 'history' | 'readers' | 'move' | 'report' | 'remind'

/** The actions for any message, including one that the server does not have yet. */
interface AnyMessageActs {
  /** Starts writing in its conversation, without leaving the feed. */
  reply(message: Pick<FeedMessage, 'conversation'>): void
  copyText(message: Pick<FeedMessage, 'contentHtml'>): void
  /** Opens its conversation; from its topic, opens the whole channel. */
  openConversation(message: Pick<FeedMessage, 'conversation'>): void
  retry(localId: LocalId): void
}

/** The actions for an own message that waits to be sent or was refused. */
export interface WaitingActs extends AnyMessageActs {
  /** Turns it back into a draft and continues writing it. */
  takeBack(item: WaitingMessage): void
  /** Shows why it was refused, and the ways out. */
  review(item: WaitingMessage): void
  /** Asks whether to discard it. */
  askToDiscard(item: WaitingMessage): void
}

/** What a reader can do with a message; each works offline unless it says otherwise. */
export interface MessageActs extends AnyMessageActs {
  /** The organization's permissions for messages. */
  readonly permissions: FeedPermissions
  react(id: MessageId, emoji: Emoji, on: boolean): void
  /** Opens the emoji picker beside the pressed element. */
  chooseEmoji(message: FeedMessage, anchor: HTMLElement): void
  star(message: FeedMessage): void
  /** Collapses its text on all devices, or shows it again. */
  collapse(message: FeedMessage): void
  quote(message: FeedMessage): void
  /** Quotes it in a new message without recipients yet. */
  forward(message: FeedMessage): void
  /** Writes to the sender only. */
  replyDirect(message: FeedMessage): void
  mention(message: FeedMessage): void
  edit(message: FeedMessage): void
  /** Opens a dialog about the message. */
  open(kind: MessageDialog, message: FeedMessage): void
  /** Adds a vote, an option, a task or a tick. */
  step(id: MessageId, step: WidgetStep): void
  remind(message: FeedMessage, at: number): void
  askToDelete(message: FeedMessage): void
  keepUnreadFrom(message: FeedMessage): void
  copyMarkdown(message: FeedMessage): void
  copyLink(message: FeedMessage): void
  /** Opens its conversation at the message; the messages around it stay unread. */
  openInContext(message: FeedMessage): void
  showPictures(pictures: readonly Picture[], index: number): void
  /** Asks whether to discard the edit that waits or was refused. */
  askToDiscardEdit(message: FeedMessage): void
}

/** What a reader can do with the topic of a message. */
export interface TopicActs {
  /** The change of a topic that waits for the server; null if there is none. */
  moveOf(conversation: Conversation): TopicMove | null
  setVisibility(channelId: number, topic: string, visibility: TopicVisibility): void
  /** Marks it as resolved, or removes the mark. */
  toggleResolved(message: FeedMessage): void
  /** Opens the dialog that renames it or moves it elsewhere. */
  openTopicMove(message: FeedMessage): void
}

/** The emoji of the `+` key. */
export const thumbsUp: Emoji = { name: '+1', code: '1f44d', type: 'unicode_emoji' }
const eyes: Emoji = { name: 'eyes', code: '1f440', type: 'unicode_emoji' }

/** The two emoji offered beside a message: the person's most used ones, filled up with most people's. */
export function readyEmoji(often: readonly { readonly emoji: Emoji }[]): readonly Emoji[] {
  const usual = often.map(({ emoji }) => emoji).filter(({ type }) => type === 'unicode_emoji')
  const missing = [thumbsUp, eyes].filter(({ code }) => !usual.some((one) => one.code === code))
  return [...usual, ...missing].slice(0, 2)
}

/** Whether the own user reacted to the message with that emoji. */
export const isMyReaction = (message: FeedMessage, { type, code }: Emoji): boolean =>
  message.reactions.some(({ isMine, emoji }) => isMine && emoji.type === type && emoji.code === code)

/** The names of the people who chose an emoji, on one line. */
export function reactionNames(names: readonly string[], total: number): string {
  const more = total - names.length
  return t.list(more > 0 ? [...names, t.feed.reactions.others(more)] : names)
}
