import type { Account } from '../../../src-shared/model/account.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import type { FeedMessage } from '../../../src-shared/model/message.ts'

/** Percent-encoding with dots for percent signs, as links of the service have it. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')

const slug = (name: string): string => encode(name.replaceAll(' ', '-'))

function conversationPath(conversation: Conversation, message: Pick<FeedMessage, 'recipient'>, own: number) {
  if (conversation.kind === 'topic') {
    const name = message.recipient.kind === 'topic' ? `-${slug(message.recipient.channelName)}` : ''
    return `channel/${conversation.channelId}${name}/topic/${encode(conversation.topic)}`
  }
  const ids = conversation.userIds.length > 0 ? conversation.userIds : [own]
  return `dm/${ids.join(',')}-${ids.length > 1 ? 'group' : 'dm'}`
}

/** The address of a message on its server, which opens it in every client. */
export function messageLink(
  account: Pick<Account, 'baseUrl' | 'userId'>,
  message: Pick<FeedMessage, 'id' | 'conversation' | 'recipient'>,
): string {
  const server = account.baseUrl.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '')
  return `${server}/#narrow/${conversationPath(message.conversation, message, account.userId)}/near/${message.id}`
}

/** A fence that the text itself does not close. */
export function fenceFor(text: string): string {
  const longest = [...text.matchAll(/^ {0,3}(`{3,})/gm)].reduce(
    (length, [, fence = '']) => Math.max(length, fence.length),
    2,
  )
  return '`'.repeat(longest + 1)
}

/** Another person's words as a quote that names them without notifying them. */
export function quoteText(
  message: Pick<FeedMessage, 'senderName' | 'senderId'>,
  markdown: string,
  link: string,
): string {
  const fence = fenceFor(markdown)
  return `@_**${message.senderName}|${message.senderId}** [said](${link}):\n${fence}quote\n${markdown.trim()}\n${fence}`
}
