import { withClosedFences } from '../../../src-shared/fences.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import type { FeedMessage } from '../../../src-shared/model/message.ts'
import { placeLink } from '../../state/navigation/place-link.ts'

/** The address of a message on its server, which opens it in every client. */
export function messageLink(
  account: Pick<Account, 'baseUrl' | 'userId'>,
  message: Pick<FeedMessage, 'id' | 'conversation' | 'recipient'>,
): string {
  const { recipient } = message
  const link = placeLink(
    account,
    message.conversation,
    recipient.kind === 'topic' ? recipient.channelName : null,
  )
  return `${link}/near/${message.id}`
}

/** A code fence longer than any in the text, so that the text does not close it. */
export function fenceFor(text: string): string {
  const longest = [...text.matchAll(/^ {0,3}(`{3,})/gm)].reduce(
    (length, [, fence = '']) => Math.max(length, fence.length),
    2,
  )
  return '`'.repeat(longest + 1)
}

/** A text as a quote, which ends where the text does, whatever it leaves open. */
export function quoted(text: string): string {
  const whole = withClosedFences(text.trim())
  const fence = fenceFor(whole)
  return `${fence}quote\n${whole}\n${fence}`
}

/** Quotes another person's text, naming them without notifying them. */
export function quoteText(
  message: Pick<FeedMessage, 'senderName' | 'senderId'>,
  markdown: string,
  link: string,
): string {
  return `@_**${message.senderName}|${message.senderId}** [said](${link}):\n${quoted(markdown)}`
}
