import type { Narrow } from '../../src-shared/model/narrow.ts'
import { findConversation } from './conversations.ts'
import type { ReadableDb } from './database.ts'

/** A part of a statement: which rows it takes. */
export interface Condition {
  readonly where: string
  readonly parameters: readonly number[]
}

/**
 * The condition that a message `m` belongs to a narrow; each has an index. The combined narrow has every message here:
 * hiding what is muted is the feed's.
 */
export function narrowCondition(db: ReadableDb, narrow: Narrow): Condition {
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      return conversationCondition(findConversation(db, narrow))
    case 'channel':
      return { where: 'm.channel_id = ?', parameters: [narrow.channelId] }
    case 'mentions':
      return { where: 'm.is_mentioned = 1', parameters: [] }
    case 'starred':
      return { where: 'm.is_starred = 1', parameters: [] }
    case 'reactions':
      return {
        where: 'm.sender_id = ? AND EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.message_id)',
        parameters: [narrow.userId],
      }
    case 'directs':
      return { where: 'm.channel_id IS NULL', parameters: [] }
    case 'combined':
      return { where: 'TRUE', parameters: [] }
  }
}

/** The same for a topic or direct conversation of which the row is known; no row, no messages. */
export const conversationCondition = (conversationId: number | undefined): Condition => ({
  where: 'm.conversation_id = ?',
  parameters: [conversationId ?? -1],
})

/**
 * The condition that a row `n` of `unread` belongs to a narrow. It asks as little as possible of `messages`, which
 * lacks the unread messages whose text is not here.
 */
export function unreadCondition(db: ReadableDb, narrow: Narrow): Condition {
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      return { where: 'n.conversation_id = ?', parameters: [findConversation(db, narrow) ?? -1] }
    case 'channel':
      return {
        where: `n.conversation_id IN
          (SELECT conversation_id FROM conversations WHERE kind = 'topic' AND channel_id = ?)`,
        parameters: [narrow.channelId],
      }
    case 'mentions':
      return { where: 'n.is_mentioned = 1', parameters: [] }
    case 'starred':
      return {
        where: 'EXISTS (SELECT 1 FROM messages m WHERE m.message_id = n.message_id AND m.is_starred = 1)',
        parameters: [],
      }
    case 'reactions':
      // A person's own messages are never unread for them.
      return { where: 'FALSE', parameters: [] }
    case 'directs':
      return {
        where: `n.conversation_id IN (SELECT conversation_id FROM conversations WHERE kind = 'direct')`,
        parameters: [],
      }
    case 'combined':
      return { where: 'TRUE', parameters: [] }
  }
}
