import type { ChannelId, LocalId, MessageId, UserId } from '../ids.ts'
import type { Conversation } from './conversation.ts'
import type { SendState } from './outbox.ts'
import type { PersonStatus } from './profile.ts'
import type { Widget } from './widget.ts'

/** An emoji as reactions name it. */
export interface Emoji {
  readonly name: string
  /** Unicode: dash-joined hex code points; an organization's own: its id. */
  readonly code: string
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji'
}

/** One emoji under a message with everybody who chose it. */
export interface ReactionGroup {
  readonly emoji: Emoji
  readonly userIds: readonly UserId[]
  /** Names of the first dozen, oneself first as "you". */
  readonly names: readonly string[]
  readonly isMine: boolean
  /** True while our own change of it waits for the server. */
  readonly isWaiting: boolean
  /** Path of the picture of an organization's own emoji. */
  readonly imageUrl?: string
}

/** A message as a feed shows it. */
/** An address that a part of a topic stands for: of a linkifier of the organization, or written out. */
export interface TopicLink {
  readonly text: string
  readonly url: string
}

export interface FeedMessage {
  readonly id: MessageId
  readonly conversation: Conversation
  /** The channel's or the people's names, for recipient bars. */
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
  /** As the server rendered it; hostile until sanitized. */
  readonly contentHtml: string
  readonly isUnread: boolean
  readonly isStarred: boolean
  readonly isMentioned: boolean
  readonly isMeMessage: boolean
  /** The person wants it shown without its text. */
  readonly isCollapsed: boolean
  readonly senderIsMuted: boolean
  readonly reactions: readonly ReactionGroup[]
  /** A poll or a to-do list, with one's own steps that wait; shown in place of the text. */
  readonly widget: MessageWidget | null
  /** One's own change of the text that the server does not have yet. */
  readonly waitingEdit: WaitingEdit | null
}

/** A widget with the names of those who take part. */
export interface MessageWidget {
  readonly widget: Widget
  readonly names: Readonly<Record<number, string>>
}

/** New text of a message that waits for the server; the message keeps the old until the server has the new. */
export interface WaitingEdit {
  readonly localId: LocalId
  readonly contentMarkdown: string
  /** As it will look, as far as this device can tell; to be sanitized like everything that is shown. */
  readonly contentHtml: string
  readonly isMeMessage: boolean
  /** The text that the edit began from; null when unknown. */
  readonly previousMarkdown: string | null
  readonly state: SendState
}

/** A piece of a text that was changed, in order: joined, the pieces are the text as it became. */
export interface ChangedPiece {
  readonly text: string
  /** What stood there before; the same text where nothing changed, empty where words were added. */
  readonly before: string
}

/** One version of a message. */
export interface MessageVersion {
  /** Epoch milliseconds. */
  readonly at: number
  /** Who made it so; null when nobody knows any more. */
  readonly personName: string | null
  /** Of the original; hostile until sanitized, null for every other version. */
  readonly contentHtml: string | null
  /** The text as it was written, with what was changed in it; null when the text did not change. */
  readonly changes: readonly ChangedPiece[] | null
  /** Where it was moved from, as "channel › topic"; null when it was not moved. */
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
      /** The display name for the empty topic is put in already. */
      readonly topic: string
      readonly isEmptyTopic: boolean
      readonly visibility: TopicVisibility
    }
  | { readonly kind: 'direct'; readonly names: readonly string[]; readonly userIds: readonly UserId[] }

export type ChannelPrivacy = 'public' | 'private' | 'web-public'

/** What a person chose for a topic: nothing, muted, unmuted in a muted channel, or followed. */
export type TopicVisibility = 'none' | 'muted' | 'unmuted' | 'followed'

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

/** A message that was written here and is not yet in the server's words. Shown beside messages, never as one. */
export interface WaitingMessage {
  readonly localId: LocalId
  readonly conversation: Conversation
  readonly recipient: RecipientLabel
  readonly contentMarkdown: string
  /** As it will look, as far as this device can tell; to be sanitized like everything that is shown. */
  readonly contentHtml: string
  readonly isMeMessage: boolean
  /** Epoch milliseconds. */
  readonly writtenAt: number
  readonly state: SendState
}
