import type { Account } from '../../src-shared/model/account.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { ChannelId } from '../../src-shared/ids.ts'

/** Percent-encoding with dots for percent signs, as links of the service have it. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')

const slug = (name: string): string => encode(name.replaceAll(' ', '-'))

/**
 * The address of a conversation or channel on its server, which opens it in every client. The channel's name is for
 * people who read the address; null leaves it out.
 */
export function placeLink(
  account: Pick<Account, 'baseUrl' | 'userId'>,
  place: Conversation | { readonly kind: 'channel'; readonly channelId: ChannelId },
  channelName: string | null,
): string {
  const server = account.baseUrl.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '')
  return `${server}/#narrow/${path(place, channelName, account.userId)}`
}

function path(place: Parameters<typeof placeLink>[1], channelName: string | null, own: number): string {
  if (place.kind === 'direct') {
    const ids = place.userIds.length > 0 ? place.userIds : [own]
    return `dm/${ids.join(',')}-${ids.length > 1 ? 'group' : 'dm'}`
  }
  const channel = `channel/${place.channelId}${channelName === null ? '' : `-${slug(channelName)}`}`
  return place.kind === 'topic' ? `${channel}/topic/${encode(place.topic)}` : channel
}
