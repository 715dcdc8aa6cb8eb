import { channelId, userId, type ChannelId, type UserId } from '../ids.ts'
import { topicKey } from '../topic-names.ts'

/** Where messages go: one topic of a channel, or the same set of people. The empty topic is a topic. */
export type Conversation =
  | { readonly kind: 'topic'; readonly channelId: ChannelId; readonly topic: string }
  /** Everybody in the conversation except oneself, ascending; empty for notes to oneself. */
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A key that is equal exactly for equal conversations; topics are compared without regard to case. */
export function conversationKey(conversation: Conversation): string {
  return conversation.kind === 'topic'
    ? `topic:${conversation.channelId}:${topicKey(conversation.topic)}`
    : `direct:${conversation.userIds.join(',')}`
}

/** The direct conversation of these people, in any order, with or without oneself among them. */
export function directConversation(userIds: Iterable<number>, ownUserId: UserId): Conversation {
  const others = [...new Set(userIds)].filter((id) => id !== ownUserId).sort((a, b) => a - b)
  return { kind: 'direct', userIds: others.map(userId) }
}

/** A topic of a channel. */
export function topicConversation(channel: number, topic: string): Conversation {
  return { kind: 'topic', channelId: channelId(channel), topic }
}
