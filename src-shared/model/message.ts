import type { ChannelId, LocalId, MessageId, UserId } from '../ids.ts'
import type { Conversation } from './conversation.ts'
import type { SendState } from './outbox.ts'
import type { PersonStatus } from './profile.ts'
import type { Widget } from './widget.ts'
import type { Person } from './user.ts'

/** An emoji, as reactions identify it. */
export interface Emoji {
  readonly name: string
  /** For Unicode, dash-joined hex code points; for an organization's own emoji, its id. */
  readonly code: string
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji'
}

/** One emoji under a message, with the people who chose it. */
export interface ReactionGroup {
  readonly emoji: Emoji
  readonly userIds: readonly UserId[]
  /** Names of the first dozen people, oneself first as "you". */
  readonly names: readonly string[]
  readonly isMine: boolean
  /** True while the person's own change of it waits to be sent. */
  readonly isWaiting: boolean
  /** The path of the picture, for an organization's own emoji. */
  readonly imageUrl?: string
}

/** Everybody who chose an emoji: oneself first, then by name. */
export interface Reactors extends Pick<ReactionGroup, 'emoji' | 'imageUrl'> {
  readonly people: readonly Person[]
}

/** A message as a feed shows it. */
/** A link in a topic's name: made by one of the organization's linkifiers, or an address written out. */
export interface TopicLink {
  readonly text: string
  readonly url: string
}

/** A message as a feed shows it. */
export interface FeedMessage {
  readonly id: MessageId
  readonly conversation: Conversation
  /** The names of the channel or the people, for recipient bars. */
  readonly recipient: RecipientLabel
  readonly senderId: UserId
  readonly senderName: string
  readonly senderAvatarUrl: string | null
  readonly senderIsBot: boolean
  readonly senderIsGuest: boolean
  readonly senderStatus: PersonStatus | null
  /** Epoch milliseconds. */
  readonly sentAt: number
  readonly editedAt: number | null
  readonly movedAt: number | null
  /** As the server rendered it; untrusted until sanitized. */
  readonly contentHtml: string
  readonly isUnread: boolean
  readonly isStarred: boolean
  readonly isMentioned: boolean
  readonly isMeMessage: boolean
  /** The person has collapsed it: it is shown without its text. */
  readonly isCollapsed: boolean
  readonly senderIsMuted: boolean
  readonly reactions: readonly ReactionGroup[]
  /** A poll or a to-do list, including the person's own steps that wait to be sent; shown instead of the text. */
  readonly widget: MessageWidget | null
  /** The person's own edit of the text that is not on the server yet. */
  readonly waitingEdit: WaitingEdit | null
}

/** A widget with the names of its participants. */
export interface MessageWidget {
  readonly widget: Widget
  readonly names: Readonly<Record<number, string>>
}

/** New text of a message that waits to be sent; the message keeps the old text until the server has the new one. */
export interface WaitingEdit {
  readonly localId: LocalId
  readonly contentMarkdown: string
  /** Rendered on this device; to be sanitized like all HTML that is shown. */
  readonly contentHtml: string
  readonly isMeMessage: boolean
  /** The text that the edit is based on; null if unknown. */
  readonly previousMarkdown: string | null
  readonly state: SendState
}

/** A piece of a changed text, in order; joined, the pieces are the new text. */
export interface ChangedPiece {
  readonly text: string
  /** What the piece replaced: the same text if nothing changed, empty if words were added. */
  readonly before: string
}

/** One version of a message. */
export interface MessageVersion {
  /** Epoch milliseconds; null if this version is older than the changes that are known, and nobody knows by how much. */
  readonly at: number | null
  /** Who made this version; null if that is not known. */
  readonly personName: string | null
  /** The text of the original, and of one whose changes cannot be shown; null for others. Untrusted until sanitized. */
  readonly contentHtml: string | null
  /** The Markdown, with its changes marked; null if the text did not change or is HTML. */
  readonly changes: readonly ChangedPiece[] | null
  /** The place it was moved from, as "channel › topic"; null if it was not moved. */
  readonly movedFrom: string | null
  readonly isOriginal: boolean
}

/** How a conversation is named on screen. */
export type RecipientLabel =
  | {
      readonly kind: 'topic'
      readonly channelId: ChannelId
      readonly channelName: string
      readonly channelColor: ChannelColor
      readonly channelPrivacy: ChannelPrivacy
      /** The display name for the empty topic is already filled in. */
      readonly topic: string
      readonly isEmptyTopic: boolean
      readonly visibility: TopicVisibility
      readonly channelIsMuted: boolean
    }
  | {
      readonly kind: 'direct'
      readonly names: readonly string[]
      readonly userIds: readonly UserId[]
      /** The picture of the person that a conversation with one person is with; null for none. */
      readonly avatarUrl: string | null
    }

/** The kinds of channel that icons tell apart. */
export type ChannelPrivacy = 'public' | 'private' | 'web-public'

/** A person's choices for a topic: none, muted, unmuted in a muted channel, or followed; each with the wire's policy. */
export const topicPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type TopicVisibility = keyof typeof topicPolicies
// The keys of the table are the names of the type.
export const topicVisibilities = Object.keys(topicPolicies) as TopicVisibility[]

/** The twelve hues of the design; a server's colour is snapped to the nearest. */
export type ChannelColor =
  | 'tide'
  | 'sky'
  | 'iris'
  | 'heather'
  | 'plum'
  | 'coral'
  | 'rufous'
  | 'sand'
  | 'lichen'
  | 'moss'
  | 'fern'
  | 'slate'

/** A message written here that the server has not sent back yet. It is shown beside messages, never as one. */
export interface WaitingMessage {
  readonly localId: LocalId
  readonly conversation: Conversation
  readonly recipient: RecipientLabel
  readonly contentMarkdown: string
  /** Rendered on this device; to be sanitized like all HTML that is shown. */
  readonly contentHtml: string
  readonly isMeMessage: boolean
  /** The poll or to-do list that it becomes once it is sent; nobody can answer it before. */
  readonly widget: Widget | null
  /** Epoch milliseconds. */
  readonly writtenAt: number
  readonly state: SendState
}
