import { channelId, userId, type ChannelId, type UserId } from '../ids.ts'

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

/** The name that topics without a name had before empty topics were possible. */
const formerEmptyTopic = '(no topic)'

/** A typed topic without blank edges, and empty if it is the name under which topics without a name are shown. */
export function typedTopic(typed: string, emptyTopicName: string | null): string {
  const topic = typed.trim()
  return topic === formerEmptyTopic || topic === emptyTopicName ? '' : topic
}

/** The form in which two spellings of one topic are equal. */
export function topicKey(topic: string): string {
  return topic.normalize('NFC').toLowerCase()
}

/** The direct conversation of these people, in any order, with or without oneself among them. */
export function directConversation(userIds: Iterable<number>, ownUserId: UserId): Conversation {
  const others = [...new Set(userIds)].filter((id) => id !== ownUserId).sort((a, b) => a - b)
  return { kind: 'direct', userIds: others.map(userId) }
}

export function topicConversation(channel: number, topic: string): Conversation {
  return { kind: 'topic', channelId: channelId(channel), topic }
}

const resolvedPrefix = '✔ '

/** The topic's name with the mark of a resolved topic. */
export const resolvedTopic = (topic: string): string =>
  isResolved(topic) ? topic : `${resolvedPrefix}${topic}`
/** Whether the topic is resolved; the mark is part of its name. */
export const isResolved = (topic: string): boolean => topic.startsWith(resolvedPrefix)
/** The topic's name without the mark of a resolved topic. */
export const topicWithoutMark = (topic: string): string =>
  isResolved(topic) ? topic.slice(resolvedPrefix.length) : topic
/** Whether two names of topics differ only in the mark of a resolved topic. */
export const isSameButMark = (one: string, other: string): boolean =>
  isResolved(one) !== isResolved(other) && topicWithoutMark(one) === topicWithoutMark(other)
