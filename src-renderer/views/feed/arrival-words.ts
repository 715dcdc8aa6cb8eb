import type { Feed } from '../../../src-shared/model/feed.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import { topicWithoutMark } from '../../../src-shared/topic-names.ts'
import type { RecipientLabel } from '../../../src-shared/model/message.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { closedText } from './plain-text.ts'

/** How many characters of a message are announced; the rest is read in the feed. */
const longest = 120

interface Listener {
  readonly ownUserId: number
  /** The end of the feed is in view and stays in view. */
  readonly isAtEnd: boolean
  /** All messages belong to one conversation. */
  readonly isConversation: boolean
  readonly uses24HourClock: boolean
}

/**
 * What a screen reader announces about messages that came after `last`; null for nothing. At the end of the feed it
 * says who wrote what; to a person who reads further up, it says only how many came. Of several messages, it reads the
 * newest. Own messages are left out, because the compose box announces that they were sent.
 */
export function arrivalWords(
  feed: Pick<Feed, 'messages' | 'after'>,
  last: MessageId | null,
  { ownUserId, isAtEnd, isConversation, uses24HourClock }: Listener,
): string | null {
  if (last === null || feed.after !== 'end') return null
  const arrived = feed.messages.filter(({ id, senderId }) => id > last && senderId !== ownUserId)
  const newest = arrived.at(-1)
  if (newest === undefined) return null
  if (!isAtEnd) return t.feed.arrived.below(arrived.length)
  const sender = isConversation
    ? newest.senderName
    : t.feed.arrived.in(newest.senderName, placeWords(newest.recipient))
  const words = newest.senderIsMuted
    ? t.feed.message.muted
    : t.feed.announced(sender, closedText(newest.contentHtml, uses24HourClock).slice(0, longest))
  return arrived.length === 1 ? words : t.feed.arrived.several(arrived.length, words)
}

const placeWords = (label: RecipientLabel): string =>
  label.kind === 'topic'
    ? t.mainWindow.placeIn(topicWithoutMark(label.topic), label.channelName)
    : t.feed.heads.direct
