import type { Handlers } from '../../src-shared/api/index.ts'
import { accessibleMessage, keepOwnRow, pageOf } from '../messages/message-pages.ts'
import { directUserIds, type MessageRow } from '../messages/messages.ts'
import { normalizeTopic, topicKey } from '../topics.ts'
import { mutedSql } from '../messages/narrow-terms.ts'
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
  | 'updateMessageFlags'
  | 'updateMessageFlagsForNarrow'
  | 'markTopicAsRead'
  | 'markAllAsRead'
  | 'markChannelAsRead'
> = {
  updateMessageFlags: ({ messages, op, flag }, { workspace, user }) => {
    for (const id of messages) accessibleMessage(workspace, user, id)
    const { ignored } = setFlag(workspace, user, messages, op, flag)
    return { messages, ignored_because_not_subscribed_channels: ignored }
  },
  updateMessageFlagsForNarrow: (input, { workspace, user }) => {
    // Asking for more than a page is not an error here: the caller continues from the last id.
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
  markAllAsRead: (_input, { workspace, user }) => {
    const { changes } = workspace.db.run(
      'UPDATE user_messages SET is_read = 1 WHERE user_id = ? AND is_read = 0',
      user.user_id,
    )
    if (changes > 0) publishFlags(workspace, user, { op: 'add', flag: 'read', messages: [], all: true })
    return { complete: true }
  },
  markChannelAsRead: ({ stream_id }, { workspace, user }) => {
    readableChannel(workspace.db, user, stream_id)
    const unread = workspace.db.all<{ message_id: number }>(
      `SELECT m.message_id FROM user_messages um JOIN messages m ON m.message_id = um.message_id
       WHERE um.user_id = ? AND um.is_read = 0 AND m.channel_id = ? ORDER BY m.message_id`,
      user.user_id,
      stream_id,
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

function publishFlags(
  workspace: Workspace,
  user: UserRow,
  change: { op: 'add' | 'remove'; flag: string; messages: readonly number[]; all: boolean },
  details: object = {},
): void {
  workspace.publish([user.user_id], {
    type: 'update_message_flags',
    ...change,
    operation: change.op,
    ...details,
  })
}

/**
 * Changes a flag and tells the person's queues. Returns the channels where marking as unread was ignored, and how many
 * messages changed.
 */
function setFlag(
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
        keepOwnRow(workspace, user, id)
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
      if (changes > 0 && flag === 'read' && op === 'remove')
        details[String(id)] = detailsOf(workspace, user, row)
    }
  })
  if (changed.length > 0) {
    const message_details = flag === 'read' && op === 'remove' ? { message_details: details } : {}
    publishFlags(workspace, user, { op, flag, messages: changed, all: false }, message_details)
  }
  return { ignored: [...ignored], changed: changed.length }
}

function detailsOf(workspace: Workspace, user: UserRow, row: MessageRow): Record<string, unknown> {
  const own = workspace.db.get<{ mention: string }>(
    'SELECT mention FROM user_messages WHERE user_id = ? AND message_id = ?',
    user.user_id,
    row.message_id,
  )
  const isMentioned = own?.mention.split(' ').some((mark) => mark.endsWith('mentioned')) === true
  const mentioned = isMentioned ? { mentioned: true } : {}
  if (row.channel_id === null) {
    const people = directUserIds(workspace.db, row.direct_group_id ?? 0)
    return { type: 'private', user_ids: people.filter((id) => id !== user.user_id), ...mentioned }
  }
  const isMuted = workspace.db.get(`SELECT 1 FROM messages m WHERE m.message_id = :id AND (${mutedSql})`, {
    id: row.message_id,
    user: user.user_id,
  })
  return {
    type: 'stream',
    stream_id: row.channel_id,
    topic: row.topic,
    unmuted_stream_msg: isMuted === undefined,
    ...mentioned,
  }
}
