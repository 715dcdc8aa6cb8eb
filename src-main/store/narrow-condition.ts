import type { Narrow } from '../../src-shared/model/narrow.ts'
import { findConversation } from './conversations.ts'
import type { ReadableDb, SqlValue } from './database.ts'

/** A part of a statement: which rows it takes. */
export interface Condition {
  readonly where: string
  readonly parameters: readonly SqlValue[]
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

/**
 * The condition that a message is not muted, or a conversation, whose row is given. It mentions only the kinds of
 * muting that the person uses. That of a message may need its conversation `c`.
 */
export function unmutedCondition(db: ReadableDb, row: 'm' | 'c'): Condition {
  const { channels, hasUnmuted, hasMuted } = db.remembered('muted-places', () => {
    const has = (visibilities: string) =>
      db.get(`SELECT 1 FROM topic_visibility WHERE visibility IN (${visibilities}) LIMIT 1`) !== undefined
    return {
      channels: JSON.stringify(db.column<number>('SELECT channel_id FROM channels WHERE is_muted = 1')),
      hasUnmuted: has(`'unmuted', 'followed'`),
      hasMuted: has(`'muted'`),
    }
  })
  const hasVisibility = (visibilities: string) =>
    `EXISTS (SELECT 1 FROM topic_visibility v WHERE v.visibility IN (${visibilities})
      AND v.channel_id = ${row}.channel_id AND 'topic:' || v.channel_id || ':' || v.topic_key = c.key)`
  const isAnyMuted = channels !== '[]'
  const conditions: string[] = []
  if (isAnyMuted)
    conditions.push(
      `(${row}.channel_id IS NULL OR ${row}.channel_id NOT IN (SELECT value FROM json_each(?))
        ${hasUnmuted ? `OR ${hasVisibility(`'unmuted', 'followed'`)}` : ''})`,
    )
  if (hasMuted) conditions.push(`NOT ${hasVisibility(`'muted'`)}`)
  return {
    where: conditions.length === 0 ? 'TRUE' : conditions.join(' AND '),
    parameters: isAnyMuted ? [channels] : [],
  }
}

/** The condition for a topic or direct conversation of which the row is known; no row, no messages. */
export const conversationCondition = (conversationId: number | undefined): Condition => ({
  where: 'm.conversation_id = ?',
  parameters: [conversationId ?? -1],
})

/**
 * The condition that a row `n` of `unread` belongs to a narrow; what is muted does not belong to the combined one. It
 * asks as little as possible of `messages`, which lacks the unread messages whose text is not here.
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
    case 'combined': {
      const { where, parameters } = unmutedCondition(db, 'c')
      return where === 'TRUE'
        ? { where, parameters }
        : {
            where: `n.conversation_id IN
              (SELECT conversation_id FROM conversations c WHERE unread_count > 0 AND ${where})`,
            parameters,
          }
    }
  }
}
