import type { ApiDraft, ApiDraftContent } from '../../src-shared/api/drafts.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../src-shared/model/draft.ts'
import { sameRecipient } from './merge.ts'

/** The server's draft in our words. Direct recipients come with or without oneself; both mean the same. */
export function draftFromApi(draft: ApiDraft, ownUserId: UserId): DraftContent {
  return { recipient: recipientFromApi(draft, ownUserId), content: draft.content }
}

function recipientFromApi(draft: ApiDraft, ownUserId: UserId): DraftRecipient {
  const [first] = draft.to
  if (draft.type === 'stream' && first !== undefined) return topicConversation(first, draft.topic)
  if (draft.type === 'private' && draft.to.length > 0) return directConversation(draft.to, ownUserId)
  return null
}

/** Our draft in the server's words (specification, Draft object). `editedAt` is epoch milliseconds. */
export function apiFromDraft(draft: DraftContent, editedAt: number, ownUserId: UserId): ApiDraftContent {
  const { recipient, content } = draft
  const timestamp = Math.floor(editedAt / 1000)
  if (recipient === null) return { type: '', to: [], topic: '', content, timestamp }
  if (recipient.kind === 'topic') {
    return { type: 'stream', to: [recipient.channelId], topic: recipient.topic, content, timestamp }
  }
  const to = recipient.userIds.length > 0 ? [...recipient.userIds] : [ownUserId]
  return { type: 'private', to, topic: '', content, timestamp }
}

/** A server cuts the blank edges of what it is given, and long topics; what a person typed keeps them. */
export const asKept = (content: string): string => content.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
const topicKept = 60

/** Whether a server that was given `a` would report `b`, or the other way round. */
export function sameOnServer(a: DraftContent | null, b: DraftContent | null): boolean {
  if (a === null || b === null) return a === b
  return (
    sameRecipient(cutTopic(a.recipient), cutTopic(b.recipient)) && asKept(a.content) === asKept(b.content)
  )
}

function cutTopic(recipient: DraftRecipient): DraftRecipient {
  if (recipient?.kind !== 'topic') return recipient
  const topic = recipient.topic.trim()
  const letters = [...topic]
  return {
    ...recipient,
    topic: letters.length > topicKept ? `${letters.slice(0, topicKept - 3).join('')}...` : topic,
  }
}

/** Whether there is anything a server would keep. */
export const isBlank = (content: string): boolean => asKept(content) === ''
