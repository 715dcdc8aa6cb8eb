import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ChannelSummary } from '../../../src-shared/model/channel.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { DirectRefusal } from '../../../src-shared/model/permissions.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { once } from '../../state/data/once.ts'

/** Why a person cannot write in a channel, which is null if it is gone; null if they can, or while that is unknown. */
export function channelObstacle(
  channel: Pick<ChannelSummary, 'canPost' | 'isArchived'> | null | undefined,
): string | null {
  if (channel === null) return t.compose.obstacle.channelGone
  if (channel === undefined || channel.canPost) return null
  return channel.isArchived ? t.compose.obstacle.archived : t.compose.obstacle.notAllowed
}

/** The words for beginning a message in a channel, which may be without topics; null if the person cannot write there. */
export function beginWords({
  name,
  canPost,
  topics,
}: Pick<ChannelSummary, 'name' | 'canPost' | 'topics'>): string | null {
  if (!canPost) return null
  return topics === 'none' ? t.compose.writeIn(name) : t.compose.newTopicIn(name)
}

/** Why a message cannot be in that topic of a channel; null if it can, or while that is unknown. */
export function topicObstacle(
  channel: Pick<ChannelSummary, 'topics'> | null | undefined,
  topic: string,
): string | null {
  const isNamed = topic.trim() !== ''
  if (channel?.topics === 'required' && !isNamed) return t.compose.obstacle.noTopic
  return channel?.topics === 'none' && isNamed ? t.compose.obstacle.noTopics : null
}

/** Why a message with this text cannot be sent to a conversation, as far as this device knows; null if it can. */
export async function obstacleIn(
  bridge: Bridge,
  accountId: string,
  conversation: Conversation,
  content: string,
): Promise<string | null> {
  const { maxMessageLength } = await once(bridge, 'account-settings', { accountId })
  const length = [...content].length
  if (length > maxMessageLength) return t.compose.tooLongBy(length - maxMessageLength)
  if (conversation.kind === 'direct') {
    const { userIds } = conversation
    return directObstacle(await once(bridge, 'direct-refusal', { accountId, userIds }))
  }
  const { channelId, topic } = conversation
  const channel = await once(bridge, 'channel', { accountId, channelId })
  return channelObstacle(channel) ?? topicObstacle(channel, topic)
}

/** Why a direct message with that answer of `direct-refusal` cannot be sent; null if it can, or while that is unknown. */
export function directObstacle(refusal: DirectRefusal | null | undefined): string | null {
  switch (refusal?.kind) {
    case 'deactivated':
      return t.compose.obstacle.deactivated(refusal.names)
    case 'not-allowed':
      return t.compose.obstacle.noDirects
    case 'not-begun':
      return t.compose.obstacle.onlyAnswers
    case undefined:
      return null
  }
}
