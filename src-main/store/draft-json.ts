import { userId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import type { DraftContent, DraftRecipient } from '../../src-shared/model/draft.ts'

/** A text that the server refused to save. */
export interface DraftRefusal extends DraftContent {
  readonly reason: string
}

// The disk may have damaged a letter of a text that is stored as JSON. The draft is then read without what it said, so
// that its words are still there.

/** The recipient in a column; null also if it is damaged. */
export const recipientFromText = (text: string): DraftRecipient => recipientIn(parsed(text))

function parsed(text: string): Partial<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function recipientIn({ kind, channelId, topic, userIds }: Partial<Record<string, unknown>>): DraftRecipient {
  if (kind === 'topic' && Number.isInteger(channelId) && typeof topic === 'string')
    return topicConversation(Number(channelId), topic)
  if (kind === 'direct' && Array.isArray(userIds) && userIds.every(Number.isInteger))
    return { kind, userIds: userIds.map(Number).map(userId) }
  return null
}

/** The refusal in a column; null also if it is damaged. */
export function refusalFromText(text: string): DraftRefusal | null {
  const { recipient, content, reason } = parsed(text)
  return typeof content === 'string' && typeof reason === 'string'
    ? { recipient: recipientIn(Object(recipient)), content, reason }
    : null
}

/** A recipient as it is stored. */
export const recipientText = (recipient: DraftRecipient) => JSON.stringify(recipient)
