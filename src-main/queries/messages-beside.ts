import type { ReadableDb, SqlValue } from '../store/database.ts'
import { highestId } from '../store/messages.ts'
import type { Condition } from '../store/narrow-condition.ts'
import { messageColumns, type MessageRow } from './feed-messages.ts'

/** SQL: the messages `m` of a narrow and their conversations `c`, each of which has its row. */
export const messagesWithHomes =
  'messages m CROSS JOIN conversations c ON c.conversation_id = m.conversation_id'

/**
 * For each wanted message, so many are looked at in order, with those that are muted: first a few, which mostly are
 * enough, then more. If too few of them are not muted, it takes less time to ask each conversation that is not muted for
 * its nearest messages.
 */
const lookedPerWanted = [3, 40] as const

const sides = {
  older: { beyond: '<', upTo: '>=', order: 'DESC', end: 0 },
  newer: { beyond: '>=', upTo: '<', order: 'ASC', end: highestId },
} as const

/** The messages of a narrow before an id (`older`), or from it on; the nearest ones, nearest first. */
export function messagesBeside(
  db: ReadableDb,
  firstUnread: number | null,
  /** `homes`: the condition for a conversation `c`, if all messages but those of some conversations belong to it. */
  { where, parameters, homes }: Condition & { readonly homes: Condition | null },
  side: keyof typeof sides,
  id: number,
  count: number,
): MessageRow[] {
  const { beyond, upTo, order, end } = sides[side]
  const rows: MessageRow[] = []
  const read = (condition: string, values: readonly SqlValue[]) => {
    const more = db.all<MessageRow>(
      `SELECT ${messageColumns} FROM ${messagesWithHomes} WHERE ${condition}
       ORDER BY m.message_id ${order} LIMIT ?`,
      [firstUnread ?? highestId, ...values, count - rows.length],
    )
    rows.push(...more)
    return rows
  }
  const isBeyond = `message_id ${beyond} ?`
  if (homes === null) return read(`${where} AND m.${isBeyond}`, [...parameters, id])
  let from = id
  for (const each of lookedPerWanted) {
    const last = db.get<{ id: number }>(
      `SELECT message_id AS id FROM messages WHERE ${isBeyond} ORDER BY message_id ${order} LIMIT 1 OFFSET ?`,
      [from, each * count],
    )?.id
    read(`${where} AND m.${isBeyond} AND m.message_id ${upTo} ?`, [...parameters, from, last ?? end])
    if (rows.length === count || last === undefined) return rows
    from = last
  }
  const wanted = count - rows.length
  const nearestIn = (home: string) =>
    `(SELECT message_id FROM messages WHERE conversation_id = ${home}.conversation_id AND ${isBeyond}
      ORDER BY message_id ${order} LIMIT ?)`
  // The nearest messages of all are in the conversations whose nearest messages are the nearest ones.
  const ids = db.column<number>(
    `SELECT m.message_id FROM (
       SELECT c.conversation_id, ${nearestIn('c')} AS nearest FROM conversations c WHERE ${homes.where}
       ORDER BY nearest ${order} NULLS LAST LIMIT ?
     ) h CROSS JOIN messages m ON m.message_id IN ${nearestIn('h')}
     ORDER BY m.message_id ${order} LIMIT ?`,
    [from, 1, ...homes.parameters, wanted, from, wanted, wanted],
  )
  return read('m.message_id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)])
}
