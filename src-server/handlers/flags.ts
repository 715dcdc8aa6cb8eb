import type { Handlers } from '../../src-shared/api/index.ts'
import { accessibleMessage, pageOf } from '../message-pages.ts'
import { directUserIds, normalizeTopic, topicKey, type MessageRow } from '../messages.ts'
import { isSubscribed, readableChannel, readableParameters, readableSql } from '../permissions.ts'
import { badRequest } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const mostMessages = 5_000

const columns: Readonly<Record<string, string>> = {
  read: 'is_read',
  starred: 'is_starred',
  collapsed: 'is_collapsed',
}

export const flags: Pick<
  Handlers<HandlerContext>,
  'updateMessageFlags' | 'updateMessageFlagsForNarrow' | 'markTopicAsRead'
> = {
  updateMessageFlags: ({ messages, op, flag }, { workspace, user }) => {
    for (const id of messages) accessibleMessage(workspace, user, id)
    const { ignored } = setFlag(workspace, user, messages, op, flag)
    return { messages, ignored_because_not_subscribed_channels: ignored }
  },
  updateMessageFlagsForNarrow: (input, { workspace, user }) => {
    // Asking for more than a page is no error here: the caller goes on from the last id.
    const before = Math.min(input.num_before, mostMessages)
    const page = pageOf(workspace, user, {
      narrow: input.narrow,
      anchor: input.anchor,
      includeAnchor: input.include_anchor !== false,
      before,
      after: Math.min(input.num_after, mostMessages - before),
    })
    const { ids } = page
    const { ignored, changed } = setFlag(workspace, user, ids, input.op, input.flag)
    return {
      processed_count: ids.length,
      updated_count: changed,
      first_processed_id: ids[0] ?? null,
      last_processed_id: ids.at(-1) ?? null,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      ignored_because_not_subscribed_channels: ignored,
    }
  },
  markTopicAsRead: ({ stream_id, topic_name }, { workspace, user }) => {
    const { db } = workspace
    readableChannel(db, user, stream_id)
    const topic = {
      ...readableParameters(db, user),
      channel: stream_id,
      topic: topicKey(normalizeTopic(db, topic_name)),
    }
    const inTopic = `m.channel_id = :channel AND m.topic_key = :topic AND ${readableSql}`
    if (db.get(`SELECT 1 FROM messages m WHERE ${inTopic} LIMIT 1`, topic) === undefined)
      throw badRequest(`No such topic '${topic_name}'`)
    const unread = db.all<{ message_id: number }>(
      `SELECT m.message_id FROM messages m JOIN user_messages own ON own.message_id = m.message_id
       WHERE own.user_id = :user AND own.is_read = 0 AND ${inTopic} ORDER BY m.message_id`,
      topic,
    )
    setFlag(
      workspace,
      user,
      unread.map((row) => row.message_id),
      'add',
      'read',
    )
    return {}
  },
}

/** Changes a flag and tells the person's queues; answers the channels where marking unread was ignored, and how many messages changed. */
export function setFlag(
  workspace: Workspace,
  user: UserRow,
  wanted: readonly number[],
  op: 'add' | 'remove',
  flag: string,
): { ignored: number[]; changed: number } {
  const column = columns[flag]
  if (column === undefined) throw badRequest(`Flag not editable: '${flag}'`)
  const { db } = workspace
  const ignored = new Set<number>()
  const changed: number[] = []
  const details: Record<string, unknown> = {}
  db.transaction(() => {
    for (const id of wanted) {
      const row = db.get<MessageRow>('SELECT * FROM messages WHERE message_id = ?', id)
      if (row === undefined) continue
      if (
        flag === 'read' &&
        op === 'remove' &&
        row.channel_id !== null &&
        !isSubscribed(db, user.user_id, row.channel_id)
      ) {
        ignored.add(row.channel_id)
        continue
      }
      if (op === 'add' && flag === 'starred') {
        db.run(
          'INSERT OR IGNORE INTO user_messages (user_id, message_id, is_read, is_historical) VALUES (?, ?, 1, 1)',
          user.user_id,
          id,
        )
      }
      const value = op === 'add' ? 1 : 0
      const { changes } = db.run(
        `UPDATE user_messages SET ${column} = ? WHERE user_id = ? AND message_id = ? AND ${column} <> ?`,
        value,
        user.user_id,
        id,
        value,
      )
      if (changes > 0) changed.push(id)
      if (flag === 'read' && op === 'remove') details[String(id)] = detailsOf(workspace, user, row)
    }
  })
  if (changed.length > 0) {
    workspace.publish([user.user_id], {
      type: 'update_message_flags',
      op,
      operation: op,
      flag,
      messages: changed,
      all: false,
      ...(flag === 'read' && op === 'remove' ? { message_details: details } : {}),
    })
  }
  return { ignored: [...ignored], changed: changed.length }
}

function detailsOf(workspace: Workspace, user: UserRow, row: MessageRow): Record<string, unknown> {
  const own = workspace.db.get<{ mention: string }>(
    'SELECT mention FROM user_messages WHERE user_id = ? AND message_id = ?',
    user.user_id,
    row.message_id,
  )
  const mentioned = own !== undefined && own.mention.includes('mentioned') ? { mentioned: true } : {}
  return row.channel_id === null
    ? {
        type: 'private',
        user_ids: directUserIds(workspace.db, row.direct_group_id ?? 0).filter((id) => id !== user.user_id),
        ...mentioned,
      }
    : { type: 'stream', stream_id: row.channel_id, topic: row.topic, unmuted_stream_msg: true, ...mentioned }
}
