import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import { topicConversation, type Conversation } from '../../../src-shared/model/conversation.ts'
import { resolvedTopic, topicKey, topicWithoutMark } from '../../../src-shared/topic-names.ts'
import { combinedDestination, isSamePlace } from '../../../src-shared/model/move.ts'
import { once } from '../data/once.ts'

type Move = Extract<ActionInput, { name: 'move-messages' }>

interface Place {
  readonly channelId: number
  readonly topic: string
}

/** The person's last move of a topic or its messages, anywhere in the window: the topic's feed follows it. */
let last: { readonly accountId: string; readonly origins: readonly Place[]; readonly to: Place } | null = null

/**
 * Records the target of a move, combined with the previous move of the same topic. Call it when the move is made.
 */
export function noteMove(accountId: string, { from, to }: Pick<Move, 'from' | 'to'>): void {
  const ofAccount = last?.accountId === accountId ? last : null
  const places = ofAccount === null ? [] : [...ofAccount.origins, ofAccount.to]
  const earlier = places.some((one) => isSamePlace(one, from)) ? ofAccount : null
  last = {
    accountId,
    origins: [...(earlier?.origins ?? []), from],
    to: earlier === null ? to : combinedDestination(earlier, { from, to }),
  }
}

/** Where the person's last move brings this topic; null if that was a move of another topic. */
export function ownMoveOf(accountId: string, { channelId, topic }: Place): Conversation | null {
  if (last?.accountId !== accountId) return null
  const { origins, to } = last
  const isMoved = origins.some(
    (one) => one.channelId === channelId && topicKey(one.topic) === topicKey(topic),
  )
  return isMoved ? topicConversation(to.channelId, to.topic) : null
}

/** The change that marks a topic as resolved or unresolved; any message of the topic identifies it. */
export function resolveTopic(messageId: MessageId, { channelId, topic }: Place, on: boolean): Move {
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
  { channelId, topic }: Place,
): Promise<MessageId | null> {
  const known = await once(bridge, 'channel-topics', { accountId, channelId, limit: 1, open: topic })
  return known.topics.find((one) => topicKey(one.topic) === topicKey(topic))?.newestMessageId ?? null
}
