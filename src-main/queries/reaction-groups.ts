import { userId, type MessageId } from '../../src-shared/ids.ts'
import type { ReactionGroup, Reactors } from '../../src-shared/model/message.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { OutboxRow } from '../store/outbox.ts'
import type { QueryContext } from './context.ts'
import { byName, peopleById, userName } from './labels.ts'

/** How many people of each group are named. */
const namesShown = 12

/** The reactions to these messages, most frequent first; waiting ones are marked. */
export function reactionsOf(
  context: QueryContext,
  ids: readonly number[],
  outbox: readonly OutboxRow[],
): Map<number, ReactionGroup[]> {
  const { db, ownUserId } = context
  const rows = db.all<{
    message_id: number
    emoji_type: ReactionGroup['emoji']['type']
    emoji_code: string
    emoji_name: string
    user_ids: string
    image: string | null
  }>(
    `SELECT r.message_id, r.emoji_type, r.emoji_code, min(r.emoji_name) AS emoji_name,
       json_group_array(r.user_id) AS user_ids, min(e.source_url) AS image
     FROM json_each(?) wanted CROSS JOIN reactions r ON r.message_id = wanted.value
     LEFT JOIN realm_emoji e ON r.emoji_type <> 'unicode_emoji' AND e.emoji_id = r.emoji_code
     GROUP BY r.message_id, r.emoji_type, r.emoji_code ORDER BY count(*) DESC, r.emoji_code LIMIT 5000`,
    [JSON.stringify(ids)],
  )
  if (rows.length === 0) return new Map()
  const waiting = new Set(
    outbox.flatMap(({ action, state }) =>
      action?.name === 'react' && state !== 'refused'
        ? [`${action.messageId}:${action.emoji.type}:${action.emoji.code}`]
        : [],
    ),
  )
  const groups = new Map<number, ReactionGroup[]>()
  for (const row of rows) {
    // SQLite builds it from a column of integers.
    const userIds = (JSON.parse(row.user_ids) as number[]).map(userId)
    const isMine = userIds.includes(ownUserId)
    const others = userIds.filter((id) => id !== ownUserId).slice(0, namesShown)
    const group: ReactionGroup = {
      emoji: { name: row.emoji_name, code: row.emoji_code, type: row.emoji_type },
      userIds,
      names: [...(isMine ? [t.shared.you] : []), ...others.map((id) => userName(db, id))].slice(
        0,
        namesShown,
      ),
      isMine,
      isWaiting: waiting.has(`${row.message_id}:${row.emoji_type}:${row.emoji_code}`),
      ...(row.image === null ? {} : { imageUrl: row.image }),
    }
    const list = groups.get(row.message_id)
    if (list === undefined) groups.set(row.message_id, [group])
    else list.push(group)
  }
  return groups
}

/** Everybody who reacted to a message, by emoji, the most frequent first. */
export function reactorsOf(context: QueryContext, id: MessageId): Reactors[] {
  const groups = reactionsOf(context, [id], []).get(id) ?? []
  const person = peopleById(
    context,
    groups.flatMap(({ userIds }) => userIds),
  )
  return groups.map(({ emoji, userIds, imageUrl }) => ({
    emoji,
    ...(imageUrl === undefined ? {} : { imageUrl }),
    people: userIds.map(person).sort((a, b) => Number(b.isSelf) - Number(a.isSelf) || byName(a, b)),
  }))
}
