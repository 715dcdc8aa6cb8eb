import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
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

/** What the person is told of their own move, online and offline: a topic that stays in its channel is renamed. */
export function ownMoveNotes({
  which,
  from,
  to,
}: Pick<
  Extract<ActionInput, { name: 'move-messages' }>,
  'which' | 'from' | 'to'
>): typeof t.feed.notes.moving {
  const isRenamed = which === 'all' && from.channelId === to.channelId
  return isRenamed ? t.feed.notes.renaming : t.feed.notes.moving
}
