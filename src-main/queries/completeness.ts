import type { RecentRow } from '../../src-shared/model/conversation-lists.ts'
import { narrowKey } from '../../src-shared/model/narrow.ts'
import type { ReadableDb } from '../store/database.ts'
import { receivedFrom } from '../store/received-from.ts'
import { completeUpTo } from '../store/ranges.ts'
import type { NamedConversation } from './recent-conversations.ts'

/** The fields of a row that say how much of its conversation is on this device. */
export type Completeness = Pick<RecentRow, 'isWhole' | 'hasNewest'>

/** How much of each of these conversations is on this device; looked up for all of them at once. */
export function completenessOf(
  db: ReadableDb,
  named: readonly NamedConversation[],
): (one: NamedConversation) => Completeness {
  const channelIds = [
    ...new Set(
      named.flatMap(({ conversation }) => (conversation.kind === 'topic' ? [conversation.channelId] : [])),
    ),
  ]
  const wholeUntil = completeUpTo(db, [
    'combined',
    'directs',
    ...channelIds.map((channelId) => narrowKey({ kind: 'channel', channelId })),
    ...named.map(({ conversation }) => narrowKey(conversation)),
  ])
  const fromFirst = channelsFromFirst(db, channelIds)
  const newestHere = new Set(
    db.column<number>(
      'SELECT message_id FROM messages WHERE message_id IN (SELECT value FROM json_each(?))',
      [JSON.stringify(named.map(({ row }) => row.newest_message_id))],
    ),
  )
  return ({ row, conversation }) => {
    const hasNewest = newestHere.has(row.newest_message_id)
    const around =
      conversation.kind === 'direct'
        ? ['directs', 'combined']
        : [
            narrowKey({ kind: 'channel', channelId: conversation.channelId }),
            ...(fromFirst.has(conversation.channelId) ? ['combined'] : []),
          ]
    const isWhole = [narrowKey(conversation), ...around].some(
      (key) => (wholeUntil.get(key) ?? 0) >= row.newest_message_id,
    )
    return { hasNewest, isWhole: hasNewest && isWhole }
  }
}

/**
 * The channels, of those that the person is in, whose first message is here and that they never left since, as far as
 * this device can tell. The combined history has only what was sent while the person was in a channel; in these
 * channels, that is all.
 */
function channelsFromFirst(db: ReadableDb, channelIds: readonly number[]): ReadonlySet<number> {
  const rows = db.all<{ channel_id: number; first_message_id: number }>(
    `SELECT channel_id, first_message_id FROM channels
     WHERE is_subscribed = 1 AND channel_id IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM messages WHERE message_id = first_message_id)`,
    [JSON.stringify(channelIds)],
  )
  return new Set(
    rows
      .filter((row) => receivedFrom(db, row.channel_id) <= row.first_message_id)
      .map((row) => row.channel_id),
  )
}
