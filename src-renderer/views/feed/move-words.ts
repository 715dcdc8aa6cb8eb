import { type Conversation } from '../../../src-shared/model/conversation.ts'
import { isResolved, topicWithoutMark } from '../../../src-shared/topic-names.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** The message for a topic that somebody else moved while it was open, so that the feed now shows another. */
export function moveWords(from: Conversation, to: Conversation): string {
  if (from.kind !== 'topic' || to.kind !== 'topic') return t.feed.moved.conversation
  const name = topicWithoutMark(to.topic)
  if (from.channelId !== to.channelId) return t.feed.moved.channel(name)
  if (topicWithoutMark(from.topic) !== name) return t.feed.moved.renamed(name)
  return isResolved(to.topic) ? t.feed.moved.resolved : t.feed.moved.unresolved
}
