import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { ChannelId, MessageId } from '../../src-shared/ids.ts'
import {
  resolvedTopic,
  topicConversation,
  topicKey,
  topicWithoutMark,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import { combinedDestination, isSamePlace } from '../../src-shared/model/move.ts'
import { once } from './once.ts'

type Move = Extract<ActionInput, { name: 'move-messages' }>

/** The person's last move of a topic or its messages, anywhere in the window: the topic's feed follows it. */
export const ownMove: { to: Conversation | null } = { to: null }
let last: Pick<Move, 'from' | 'to'> | null = null

/**
 * Records the target of a move, combined with the previous move of the same topic. Call it when the move is made.
 */
export function noteMove({ from, to }: Pick<Move, 'from' | 'to'>): void {
  const earlier = last !== null && [last.from, last.to].some((one) => isSamePlace(one, from)) ? last : null
  const goal = earlier === null ? to : combinedDestination(earlier, { from, to })
  last = { from: earlier?.from ?? from, to: goal }
  ownMove.to = topicConversation(goal.channelId, goal.topic)
}

/** The change that marks a topic as resolved or unresolved; any message of the topic identifies it. */
export function resolveTopic(
  messageId: MessageId,
  { channelId, topic }: { readonly channelId: ChannelId; readonly topic: string },
  on: boolean,
): Move {
  return {
    name: 'move-messages',
    messageId,
    which: 'all',
    from: { channelId, topic },
    to: { channelId, topic: on ? resolvedTopic(topic) : topicWithoutMark(topic) },
  }
}

/** A message of a topic that this device knows; null if there is none. */
export async function messageOfTopic(
  bridge: Bridge,
  accountId: string,
  { channelId, topic }: { readonly channelId: ChannelId; readonly topic: string },
): Promise<MessageId | null> {
  const known = await once(bridge, 'channel-topics', { accountId, channelId, limit: 1, open: topic })
  return known.topics.find((one) => topicKey(one.topic) === topicKey(topic))?.newestMessageId ?? null
}
