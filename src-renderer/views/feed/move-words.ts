import { isResolved, topicWithoutMark, type Conversation } from '../../../src-shared/model/conversation.ts'

/** What somebody else did to the topic that a feed shows, so that the feed shows another now. */
export function moveWords(from: Conversation, to: Conversation): string {
  if (from.kind !== 'topic' || to.kind !== 'topic') return 'This conversation has moved.'
  const name = topicWithoutMark(to.topic)
  if (from.channelId !== to.channelId) return `This topic has moved to another channel, as “${name}”.`
  if (topicWithoutMark(from.topic) !== name) return `This topic is called “${name}” now.`
  return isResolved(to.topic) ? 'This topic was marked as resolved.' : 'This topic is not resolved any more.'
}
