import type { ChannelId, MessageId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { channelLink, topicLink } from '../../../src-shared/model/message-link.ts'

type LinkedPlace = Conversation | { readonly kind: 'channel'; readonly channelId: ChannelId }

/** Whether a narrow has a link that opens the same in every client. */
export const isLinked = (narrow: Narrow): narrow is LinkedPlace =>
  narrow.kind === 'topic' || narrow.kind === 'direct' || narrow.kind === 'channel'

/**
 * The server address of a conversation or channel, which opens it in every client. The channel's name is for human
 * readers; null omits it. With a message of the topic, the link leads to the topic that has this message later too,
 * under whatever name.
 */
export function placeLink(
  account: Pick<Account, 'baseUrl' | 'userId'>,
  place: LinkedPlace,
  channelName: string | null,
  topicOf: MessageId | null = null,
): string {
  const server = account.baseUrl.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '')
  const link = `${server}/${linkTo(place, channelName, account.userId)}`
  return place.kind === 'topic' && topicOf !== null ? `${link}/with/${topicOf}` : link
}

function linkTo(place: LinkedPlace, channelName: string | null, own: number): string {
  if (place.kind === 'channel') return channelLink(place.channelId, channelName)
  if (place.kind === 'topic') return topicLink(place.channelId, channelName, place.topic)
  const ids = place.userIds.length > 0 ? place.userIds : [own]
  return `#narrow/dm/${ids.join(',')}-${ids.length > 1 ? 'group' : 'dm'}`
}
