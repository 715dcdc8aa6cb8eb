import type { ChannelId, MessageId, UserId } from '../ids.ts'
import { conversationKey, type Conversation } from './conversation.ts'
import { topicKey } from '../topic-names.ts'

/** Which messages a feed shows. */
export type Narrow =
  | Conversation
  | { readonly kind: 'channel'; readonly channelId: ChannelId }
  | { readonly kind: 'combined' }
  | { readonly kind: 'mentions' }
  /** All direct messages. */
  | { readonly kind: 'directs' }
  | { readonly kind: 'starred' }
  /** Messages that a person wrote and that have reactions. */
  | { readonly kind: 'reactions'; readonly userId: UserId }

/** A key that is equal exactly for equal narrows; ranges of known history are stored under it. */
export function narrowKey(narrow: Narrow): string {
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      return conversationKey(narrow)
    case 'channel':
      return `channel:${narrow.channelId}`
    case 'combined':
    case 'mentions':
    case 'directs':
    case 'starred':
      return narrow.kind
    case 'reactions':
      return `reactions:${narrow.userId}`
  }
}

/** The facts that decide whether a message belongs to a narrow. */
export interface NarrowSubject {
  readonly id: MessageId
  readonly conversation: Conversation
  readonly isMentioned: boolean
  readonly isStarred: boolean
  readonly senderId: UserId
  readonly hasReactions: boolean
  /** Muted conversations are hidden from the combined feed. */
  readonly isMuted: boolean
}

/** Whether the narrow contains the message. */
export function contains(narrow: Narrow, message: NarrowSubject): boolean {
  const { conversation } = message
  switch (narrow.kind) {
    case 'topic':
      return (
        conversation.kind === 'topic' &&
        conversation.channelId === narrow.channelId &&
        topicKey(conversation.topic) === topicKey(narrow.topic)
      )
    case 'direct':
      return conversation.kind === 'direct' && sameUsers(conversation.userIds, narrow.userIds)
    case 'channel':
      return conversation.kind === 'topic' && conversation.channelId === narrow.channelId
    case 'combined':
      return !message.isMuted
    case 'directs':
      return conversation.kind === 'direct'
    case 'mentions':
      return message.isMentioned
    case 'starred':
      return message.isStarred
    case 'reactions':
      return message.senderId === narrow.userId && message.hasReactions
  }
}

function sameUsers(a: readonly UserId[], b: readonly UserId[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index])
}
