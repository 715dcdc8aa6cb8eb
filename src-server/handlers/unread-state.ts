import { directUserIds } from '../messages/direct-groups.ts'
import { mutedSql } from '../messages/narrow-terms.ts'
import { readableParameters, readableSql } from '../permissions/messages.ts'
import { realmValue, type UserRow, type Workspace } from '../workspace.ts'
import type { Registration } from './registration.ts'

const mostUnread = 50_000

/** A person's unread messages that they can read, by conversation (specification, POST /register). */
export function unread({ workspace, user, capabilities }: Registration) {
  const emptyName = realmValue(workspace.db, 'empty_topic_display_name')
  const rows = workspace.db.all<{
    message_id: number
    channel_id: number | null
    topic: string
    topic_key: string
    direct_group_id: number | null
    mention: string
    is_muted: number
  }>(
    `SELECT * FROM (SELECT m.message_id, m.channel_id, m.topic, m.topic_key, m.direct_group_id, um.mention,
         (${mutedSql}) AS is_muted
       FROM user_messages um JOIN messages m ON m.message_id = um.message_id
       WHERE um.user_id = :user AND um.is_read = 0 AND ${readableSql}
       ORDER BY um.message_id DESC LIMIT :most) ORDER BY message_id`,
    { ...readableParameters(workspace.db, user), most: mostUnread },
  )
  const streams = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>()
  const pms = new Map<number, { other_user_id: number; sender_id: number; unread_message_ids: number[] }>()
  const huddles = new Map<string, { user_ids_string: string; unread_message_ids: number[] }>()
  const into = <K, V extends { unread_message_ids: number[] }>(
    map: Map<K, V>,
    key: K,
    id: number,
    make: () => V,
  ) => {
    const entry = map.get(key) ?? make()
    entry.unread_message_ids.push(id)
    map.set(key, entry)
  }
  for (const row of rows) {
    if (row.channel_id !== null) {
      const { channel_id, topic } = row
      into(streams, `${channel_id}:${row.topic_key}`, row.message_id, () => ({
        stream_id: channel_id,
        topic: topic === '' && capabilities.empty_topic_name !== true ? emptyName : topic,
        unread_message_ids: [],
      }))
      continue
    }
    const people = directUserIds(workspace.db, row.direct_group_id ?? 0)
    const others = people.filter((id) => id !== user.user_id)
    if (others.length <= 1) {
      const other = others[0] ?? user.user_id
      into(pms, other, row.message_id, () => ({
        other_user_id: other,
        sender_id: other,
        unread_message_ids: [],
      }))
    } else {
      const key = people.join(',')
      into(huddles, key, row.message_id, () => ({ user_ids_string: key, unread_message_ids: [] }))
    }
  }
  return {
    count: rows.filter((row) => row.is_muted === 0).length,
    pms: [...pms.values()],
    streams: [...streams.values()],
    huddles: [...huddles.values()],
    mentions: rows
      .filter(
        ({ mention, is_muted }) =>
          /(^| )(mentioned|group_mentioned)/.test(mention) || (is_muted === 0 && /wildcard/.test(mention)),
      )
      .map((row) => row.message_id),
    old_unreads_missing: rows.length >= mostUnread,
  }
}

/** The messages a person starred, ascending. */
export function starred(workspace: Workspace, user: UserRow): number[] {
  return workspace.db.column<number>(
    'SELECT message_id FROM user_messages WHERE user_id = ? AND is_starred = 1 ORDER BY message_id',
    user.user_id,
  )
}

/** A person's direct conversations, newest first, without the person's own id. */
export function recentDirect(workspace: Workspace, user: UserRow) {
  return workspace.db
    .all<{ id: number; user_ids: string }>(
      `SELECT max(m.message_id) AS id, g.user_ids FROM user_messages um
       JOIN messages m ON m.message_id = um.message_id JOIN direct_groups g ON g.group_id = m.direct_group_id
       WHERE um.user_id = ? GROUP BY g.group_id ORDER BY id DESC LIMIT 1000`,
      user.user_id,
    )
    .map((row) => ({
      max_message_id: row.id,
      // `directGroupId` wrote it.
      user_ids: (JSON.parse(row.user_ids) as number[]).filter((id) => id !== user.user_id),
    }))
}
