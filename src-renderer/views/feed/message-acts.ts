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

/** What can be done with any message, also with one that the server does not have. */
interface AnyMessageActs {
  /** Goes on writing in its conversation, without leaving the feed. */
  reply(message: Pick<FeedMessage, 'conversation'>): void
  copyText(message: Pick<FeedMessage, 'contentHtml'>): void
  /** Goes to its conversation; from its topic, to everything in the channel. */
  openConversation(message: Pick<FeedMessage, 'conversation'>): void
  retry(localId: LocalId): void
}

/** What a person can do with a message of theirs that waits to be sent, or was refused. */
export interface WaitingActs extends AnyMessageActs {
  /** Makes it a draft again, and goes on writing it. */
  takeBack(item: WaitingMessage): void
  /** Shows why it was refused, and the ways out. */
  review(item: WaitingMessage): void
  /** Asks whether it is to be given up. */
  askToDiscard(item: WaitingMessage): void
}

/** What a reader can do with a message; every one works offline unless it says so itself. */
export interface MessageActs extends AnyMessageActs {
  /** What the organization lets the person do with messages. */
  readonly permissions: FeedPermissions
  react(id: MessageId, emoji: Emoji, on: boolean): void
  /** Opens the choice of emoji beside what was pressed. */
  chooseEmoji(message: FeedMessage, anchor: HTMLElement): void
  star(message: FeedMessage): void
  /** Takes its text out of sight on all devices, or shows it again. */
  collapse(message: FeedMessage): void
  quote(message: FeedMessage): void
  /** Quotes it in a new message whose recipients are still to be chosen. */
  forward(message: FeedMessage): void
  /** Writes to the sender alone. */
  replyDirect(message: FeedMessage): void
  mention(message: FeedMessage): void
  edit(message: FeedMessage): void
  /** Opens a dialog about it. */
  open(kind: MessageDialog, message: FeedMessage): void
  /** A vote, an option, a task or a tick. */
  step(id: MessageId, step: WidgetStep): void
  remind(message: FeedMessage, at: number): void
  askToDelete(message: FeedMessage): void
  keepUnreadFrom(message: FeedMessage): void
  copyMarkdown(message: FeedMessage): void
  copyLink(message: FeedMessage): void
  /** Opens its conversation at it; what stands around it stays unread. */
  openInContext(message: FeedMessage): void
  showPictures(pictures: readonly Picture[], index: number): void
  /** Asks whether the change of its text that waits, or was refused, is to be given up. */
  askToDiscardEdit(message: FeedMessage): void
}

/** What a reader can do with the topic of a message. */
export interface TopicActs {
  /** The change of a topic that waits for the server; null when there is none. */
  moveOf(conversation: Conversation): TopicMove | null
  setVisibility(channelId: number, topic: string, visibility: TopicVisibility): void
  /** Marks it as resolved, or takes the mark off. */
  toggleResolved(message: FeedMessage): void
  /** Opens the dialog that renames it or moves it elsewhere. */
  openTopicMove(message: FeedMessage): void
}

/** The emoji of the `+` key. */
export const thumbsUp: Emoji = { name: '+1', code: '1f44d', type: 'unicode_emoji' }
const eyes: Emoji = { name: 'eyes', code: '1f440', type: 'unicode_emoji' }

/** The two emoji that stand ready beside a message: the usual ones, made up from the habit of most people. */
export function readyEmoji(often: readonly { readonly emoji: Emoji }[]): readonly Emoji[] {
  const usual = often.map(({ emoji }) => emoji).filter(({ type }) => type === 'unicode_emoji')
  const missing = [thumbsUp, eyes].filter(({ code }) => !usual.some((one) => one.code === code))
  return [...usual, ...missing].slice(0, 2)
}

/** Whether one has chosen that emoji for the message. */
export const isMyReaction = (message: FeedMessage, { type, code }: Emoji): boolean =>
  message.reactions.some(({ isMine, emoji }) => isMine && emoji.type === type && emoji.code === code)

/** Who chose an emoji, as one line. */
export function reactionNames(names: readonly string[], total: number): string {
  const more = total - names.length
  return t.list(more > 0 ? [...names, t.feed.reactions.others(more)] : names)
}
