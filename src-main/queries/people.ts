import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import { dayMs } from '../../src-shared/durations.ts'
import { messageId, userId, type UserId } from '../../src-shared/ids.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import {
  peoplePlaces,
  type DirectPerson,
  type EditedMessage,
  type FrequentPerson,
  type PeopleGroup,
  type TypingPerson,
} from '../../src-shared/model/user.ts'
import { editingKey } from '../store/typing.ts'
import { settingValue } from '../store/account-settings.ts'
import { findConversation } from '../store/conversations.ts'
import type { ReadableDb, SqlValue } from '../store/database.ts'
import type { QueryContext } from './context.ts'
import { personColumns, personFromRow, presentMs, searchName, userName, type PersonRow } from './labels.ts'

const mostPeople = 600
/** How many of a topic's newest messages show who takes part in it. */
const messagesLookedAt = 200
/** Whom a person writes with most is a matter of these last days, and of this many newest direct messages. */
const frequentDays = 90
const directsLookedAt = 1_000

/**
 * The people of a narrow, in groups that are not empty, nearest to the narrow first. With a text, everybody with that
 * text in their name. Everyone else is added for a direct conversation too.
 */
export function people(
  context: QueryContext,
  { narrow, text }: Pick<CheckedParamsOf<'people'>, 'narrow' | 'text'>,
): PeopleGroup[] {
  const { db, now } = context
  const near = nearTo(db, narrow, context.ownUserId)
  const rows = db.all<PersonRow & { place: number; total: number }>(
    // Details are read only for the people that are shown: an organization may have ten thousand.
    `WITH near (user_id, place) AS (${near?.sql ?? 'SELECT 0, 0 WHERE 0'}),
     found AS (
       SELECT users.user_id, folded_name,
         iif(is_bot = 1, ${peoplePlaces.indexOf('bots')}, coalesce(near.place, ${peoplePlaces.indexOf('everyone')})) AS place,
         CASE WHEN $now - active_at <= ${presentMs} THEN 0 WHEN $now - idle_at <= ${presentMs} THEN 1 ELSE 2 END AS away
       FROM users LEFT JOIN near ON near.user_id = users.user_id
         LEFT JOIN presence ON presence.user_id = users.user_id
       WHERE (is_active = 1 OR near.place = ${peoplePlaces.indexOf('direct')})
         AND ($everyone = 1 OR near.user_id IS NOT NULL) AND instr(folded_name, $text) > 0),
     shown AS (
       SELECT user_id, place, away, count(*) OVER (PARTITION BY place) AS total
       FROM found ORDER BY place, away, folded_name LIMIT ${mostPeople})
     SELECT ${personColumns}, place, total FROM shown JOIN users ON users.user_id = shown.user_id
       LEFT JOIN presence ON presence.user_id = users.user_id ORDER BY place, away, folded_name`,
    {
      ...near?.parameters,
      now,
      text: foldName(text.trim()),
      everyone: near === null || narrow?.kind === 'direct' || text.trim() !== '' ? 1 : 0,
    },
  )
  return peoplePlaces.flatMap((where, place) => {
    const here = rows.filter((row) => row.place === place)
    const total = here[0]?.total
    return total === undefined ? [] : { where, total, people: here.map((row) => personFromRow(row, context)) }
  })
}

/** The other people of a direct conversation by name, or the person themselves if they are alone. */
export function directPeople(context: QueryContext, userIds: readonly UserId[]): DirectPerson[] {
  const others = userIds.filter((id) => id !== context.ownUserId)
  return context.db
    .all<PersonRow>(
      `SELECT ${personColumns} FROM users LEFT JOIN presence USING (user_id)
       WHERE users.user_id IN (SELECT value FROM json_each(?)) ORDER BY folded_name`,
      [JSON.stringify(others.length > 0 ? others : [context.ownUserId])],
    )
    .map((row) => {
      const person = personFromRow(row, context)
      return { ...person, activeAt: row.active_at, searchName: searchName(context.db, person) }
    })
}

/** Those with whom the person writes most, one to one; without bots, and without people who are muted or gone. */
export function frequentPeople(context: QueryContext, limit: number): FrequentPerson[] {
  const { db, now, ownUserId } = context
  return db
    .all<PersonRow & { message_count: number; unread_count: number }>(
      `WITH lately AS (
         SELECT conversation_id, count(*) AS message_count FROM
           (SELECT conversation_id, sent_at FROM messages WHERE channel_id IS NULL
            ORDER BY message_id DESC LIMIT ${directsLookedAt})
         WHERE sent_at >= $since GROUP BY conversation_id),
       alone AS (
         SELECT json_extract(user_ids, '$[0]') AS user_id, message_count, unread_count
         FROM lately CROSS JOIN conversations USING (conversation_id) WHERE json_array_length(user_ids) = 1)
       SELECT ${personColumns}, message_count, unread_count
       FROM alone JOIN users ON users.user_id = alone.user_id
         LEFT JOIN presence ON presence.user_id = users.user_id
       WHERE is_active = 1 AND is_bot = 0 AND users.user_id <> $own
         AND users.user_id NOT IN (SELECT user_id FROM muted_users)
       ORDER BY message_count DESC, folded_name LIMIT $limit`,
      { since: now - frequentDays * dayMs, own: ownUserId, limit },
    )
    .map((row) => ({
      ...personFromRow(row, context),
      messageCount: row.message_count,
      unreadCount: row.unread_count,
    }))
}

/** The people who belong to a narrow, each once, with the place of their group; null if it has none of its own. */
function nearTo(
  db: ReadableDb,
  narrow: Narrow | null,
  ownUserId: number,
): { sql: string; parameters: Record<string, SqlValue> } | null {
  const [topic, channel, direct] = (['topic', 'channel', 'direct'] as const).map((of) =>
    peoplePlaces.indexOf(of),
  )
  switch (narrow?.kind) {
    case 'topic': {
      const writers = `SELECT sender_id FROM messages WHERE conversation_id = $conversation
        ORDER BY message_id DESC LIMIT ${messagesLookedAt}`
      return {
        sql: `SELECT DISTINCT sender_id, ${topic} FROM (${writers}) UNION ALL
          SELECT user_id, ${channel} FROM subscribers WHERE channel_id = $channel AND user_id NOT IN (${writers})`,
        parameters: { conversation: findConversation(db, narrow) ?? -1, channel: narrow.channelId },
      }
    }
    case 'channel':
      return {
        sql: `SELECT user_id, ${channel} FROM subscribers WHERE channel_id = $channel`,
        parameters: { channel: narrow.channelId },
      }
    case 'direct':
      return {
        sql: `SELECT DISTINCT value, ${direct} FROM json_each($ids)`,
        parameters: { ids: JSON.stringify([...narrow.userIds, ownUserId]) },
      }
    default:
      return null
  }
}

/** SQL: leaves out those whom the person muted. */
const isHeard = 'user_id NOT IN (SELECT user_id FROM muted_users)'

/** Who is editing which message now, if the person wants to know; one person per message and nobody who is muted. */
export function editing({ db, ownUserId }: QueryContext): EditedMessage[] {
  if (!settingValue(db, 'receivesTyping')) return []
  const prefix = editingKey(0).slice(0, -1)
  return db
    .all<{ user_id: number; message_id: number }>(
      `SELECT min(user_id) AS user_id, CAST(substr(conversation_key, ?3) AS INTEGER) AS message_id
       FROM typing WHERE conversation_key >= ?1 AND conversation_key < ?2 AND user_id <> ?4 AND ${isHeard}
       GROUP BY conversation_key LIMIT 100`,
      { 1: prefix, 2: `${prefix}:`, 3: prefix.length + 1, 4: ownUserId },
    )
    .map(({ user_id, message_id }) => ({
      messageId: messageId(message_id),
      userId: userId(user_id),
      fullName: userName(db, user_id),
    }))
}

/** Who is typing in a conversation, except muted people, if the person wants to know; empty for other narrows. */
export function typing({ db, ownUserId }: QueryContext, narrow: Narrow): TypingPerson[] {
  if (!settingValue(db, 'receivesTyping')) return []
  return db
    .column<number>(
      `SELECT user_id FROM typing WHERE conversation_key = ? AND user_id <> ? AND ${isHeard} LIMIT 20`,
      [narrowKey(narrow), ownUserId],
    )
    .map((user_id) => ({ userId: userId(user_id), fullName: userName(db, user_id) }))
}
