import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { narrowKey } from '../../src-shared/model/narrow.ts'
import type { Person } from '../../src-shared/model/user.ts'
import { settingValue } from '../store/account-settings.ts'
import { findConversation } from '../store/conversations.ts'
import { personColumns, personFromRow, userName, type PersonRow, type QueryContext } from './labels.ts'

const mostPeople = 600

/** People of a conversation: who wrote there lately, then everybody in the channel; or all active people. */
export function people(context: QueryContext, conversation: Conversation | null): Person[] {
  const { db, ownUserId } = context
  const select = `SELECT ${personColumns} FROM users LEFT JOIN presence USING (user_id)`
  const toPeople = (rows: PersonRow[]) => rows.map((row) => personFromRow(row, context))
  if (conversation === null) {
    return toPeople(db.all(`${select} WHERE is_active = 1 ORDER BY is_bot, folded_name LIMIT ${mostPeople}`))
  }
  if (conversation.kind === 'direct') {
    return toPeople(
      db.all(`${select} WHERE users.user_id IN (SELECT value FROM json_each(?)) ORDER BY folded_name`, [
        JSON.stringify([...conversation.userIds, ownUserId]),
      ]),
    )
  }
  return toPeople(
    db.all(
      `${select} LEFT JOIN (SELECT sender_id, max(message_id) AS newest FROM
           (SELECT sender_id, message_id FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT 200)
         GROUP BY sender_id) wrote ON wrote.sender_id = users.user_id
       WHERE is_active = 1 AND (wrote.newest IS NOT NULL OR users.user_id IN
         (SELECT user_id FROM subscribers WHERE channel_id = ?))
       ORDER BY wrote.newest IS NULL, is_bot, folded_name LIMIT ${mostPeople}`,
      [findConversation(db, conversation) ?? -1, conversation.channelId],
    ),
  )
}

/** Names of those who are typing in a conversation, if the person wants to know; nobody types in other narrows. */
export function typing({ db, ownUserId }: QueryContext, narrow: Narrow): string[] {
  if (!settingValue(db, 'receivesTyping')) return []
  return db
    .all<{ user_id: number }>(
      'SELECT user_id FROM typing WHERE conversation_key = ? AND user_id <> ? LIMIT 20',
      [narrowKey(narrow), ownUserId],
    )
    .map(({ user_id }) => userName(db, user_id))
}
