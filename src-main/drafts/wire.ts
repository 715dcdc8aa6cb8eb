import type { ApiDraft, ApiDraftContent } from '../../src-shared/api/drafts.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../src-shared/model/draft.ts'
import { isSameText, keptTopic, withoutBlankEdges } from '../store/as-kept.ts'
import type { ReadableDb } from '../store/database.ts'
import { sameRecipient } from './merge.ts'

/** Converts the server's draft. Direct recipients may or may not include the own user; both mean the same. */
export function draftFromApi(draft: ApiDraft, ownUserId: UserId): DraftContent {
  return { recipient: recipientFromApi(draft, ownUserId), content: draft.content }
}

function recipientFromApi(draft: ApiDraft, ownUserId: UserId): DraftRecipient {
  const [first] = draft.to
  if (draft.type === 'stream' && first !== undefined) return topicConversation(first, draft.topic)
  if (draft.type === 'private' && draft.to.length > 0) return directConversation(draft.to, ownUserId)
  return null
}

/** Converts our draft (specification, Draft object). `editedAt` is epoch milliseconds. */
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

/** Whether the server would store `a` and `b` as the same draft, given how it trims and cuts texts. */
export function sameOnServer(db: ReadableDb, a: DraftContent | null, b: DraftContent | null): boolean {
  if (a === null || b === null) return a === b
  return (
    sameRecipient(keptRecipient(db, a.recipient), keptRecipient(db, b.recipient)) &&
    isSameText(db, a.content, b.content)
  )
}

const keptRecipient = (db: ReadableDb, recipient: DraftRecipient): DraftRecipient =>
  recipient?.kind === 'topic' ? { ...recipient, topic: keptTopic(db, recipient.topic) } : recipient

/** Whether nothing is left of a text without its blank edges; a server does not keep such a draft. */
export const isBlank = (content: string): boolean => withoutBlankEdges(content) === ''
