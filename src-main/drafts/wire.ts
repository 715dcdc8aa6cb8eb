import type { ApiDraft, ApiDraftContent } from '../../src-shared/api/drafts.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../src-shared/model/draft.ts'
import { isSameText, keptTopic, withoutBlankEdges } from '../store/as-kept.ts'
import type { ReadableDb } from '../store/database.ts'
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

/** Whether a server that was given `a` would report `b`, or the other way round; what a person typed stays as it is. */
export function sameOnServer(db: ReadableDb, a: DraftContent | null, b: DraftContent | null): boolean {
  if (a === null || b === null) return a === b
  return (
    sameRecipient(keptRecipient(db, a.recipient), keptRecipient(db, b.recipient)) &&
    isSameText(db, a.content, b.content)
  )
}

const keptRecipient = (db: ReadableDb, recipient: DraftRecipient): DraftRecipient =>
  recipient?.kind === 'topic' ? { ...recipient, topic: keptTopic(db, recipient.topic) } : recipient

/** Whether there is anything a server would keep. */
export const isBlank = (content: string): boolean => withoutBlankEdges(content) === ''
