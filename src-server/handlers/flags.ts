import type { Handlers } from '../../src-shared/api/index.ts'
import { publishFlags, setFlag } from '../messages/flags.ts'
import { matchingIds, pageOf } from '../messages/message-pages.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import { normalizeTopic } from '../topics.ts'
import { readableChannel } from '../permissions/channels.ts'
import { readableParameters, readableSql } from '../permissions/messages.ts'
import { badRequest } from '../service-error.ts'
import type { HandlerContext } from './context.ts'

const mostMessages = 5_000

export const flags: Pick<
  Handlers<HandlerContext>,
  | 'updateMessageFlags'
  | 'updateMessageFlagsForNarrow'
  | 'markTopicAsRead'
  | 'markAllAsRead'
  | 'markChannelAsRead'
> = {
  updateMessageFlags: ({ messages, op, flag }, { workspace, user }) => {
    const ids = [...new Set(messages)]
    if (matchingIds(workspace, user, [], ids).length < ids.length) throw badRequest('Invalid message(s)')
    const { ignored } = setFlag(workspace, user, ids, { op, flag })
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
    const { ignored, changed } = setFlag(workspace, user, ids, { op: input.op, flag: input.flag })
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
    const unread = db.column<number>(
      `SELECT m.message_id FROM messages m JOIN user_messages own ON own.message_id = m.message_id
       WHERE own.user_id = :user AND own.is_read = 0 AND ${inTopic} ORDER BY m.message_id`,
      topic,
    )
    setFlag(workspace, user, unread, { op: 'add', flag: 'read' })
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
    const unread = workspace.db.column<number>(
      `SELECT m.message_id FROM user_messages um JOIN messages m ON m.message_id = um.message_id
       WHERE um.user_id = ? AND um.is_read = 0 AND m.channel_id = ? ORDER BY m.message_id`,
      user.user_id,
      stream_id,
    )
    setFlag(workspace, user, unread, { op: 'add', flag: 'read' })
    return {}
  },
}
