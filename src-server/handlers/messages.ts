import type { Handlers } from '../../src-shared/api/index.ts'
import { checkedEmoji, emojiByName, reactionTypeFrom } from '../markdown/emoji-names.ts'
import { emojiCodeByName } from '../../src-shared/markdown/emoji.ts'
import { audienceOf } from '../messages/message-audience.ts'
import { deleteMessages } from '../messages/message-deletion.ts'
import { changeMessage } from '../messages/message-edits.ts'
import { accessibleMessage, keepOwnRow } from '../messages/message-pages.ts'
import { targetFrom } from '../messages/message-target.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import { normalizeTopic } from '../topics.ts'
import { sendTogether, type MessageRow } from '../messages/messages.ts'
import { readableChannel } from '../permissions/channels.ts'
import { assertCanDelete } from '../permissions/message-changes.ts'
import { readableParameters, readableSql } from '../permissions/messages.ts'
import { assertAdministrator } from '../permissions/roles.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { channelById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** One request deletes at most this many messages of a topic, so that nobody else waits for long. */
const mostDeleted = 1_000

export const messages: Pick<
  Handlers<HandlerContext>,
  'sendMessage' | 'updateMessage' | 'deleteMessage' | 'deleteTopic' | 'addReaction' | 'removeReaction'
> = {
  sendMessage: async (input, { workspace, user, client }) => {
    const { id, newPolicy } = await sendTogether(workspace, () => ({
      sender: user,
      target: targetFrom(workspace, user, input.type, input.to, input.topic),
      content: input.content,
      client,
      readBySender: input.read_by_sender ?? user.bot_type === null,
      ...(input.local_id === undefined ? {} : { localId: input.local_id }),
      ...(input.queue_id === undefined ? {} : { queueId: input.queue_id }),
    }))
    return { id, ...(newPolicy === null ? {} : { automatic_new_visibility_policy: newPolicy }) }
  },

  updateMessage: (input, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, input.message_id)
    const detached = changeMessage(workspace, user, row, {
      content: input.content,
      expectedHash: input.prev_content_sha256,
      topic: input.topic,
      channelId: input.stream_id,
      mode: input.propagate_mode,
      oldThread: input.send_notification_to_old_thread,
      newThread: input.send_notification_to_new_thread,
    })
    return { detached_uploads: detached }
  },

  deleteMessage: ({ message_id }, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, message_id)
    const channel = row.channel_id === null ? undefined : channelById(workspace.db, row.channel_id)
    assertCanDelete(workspace.db, user, row, channel, workspace.now())
    deleteMessages(workspace, user, [row])
    return {}
  },

  deleteTopic: ({ stream_id, topic_name }, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    readableChannel(db, user, stream_id)
    const rows = db.all<MessageRow>(
      `SELECT * FROM messages m WHERE m.channel_id = :channel AND m.topic_key = :topic AND ${readableSql}
       ORDER BY m.message_id DESC LIMIT ${mostDeleted + 1}`,
      {
        ...readableParameters(db, user),
        channel: stream_id,
        topic: topicKey(normalizeTopic(db, topic_name)),
      },
    )
    if (rows.length === 0) throw badRequest(`No such topic '${topic_name}'`)
    deleteMessages(workspace, user, rows.slice(0, mostDeleted))
    return { complete: rows.length <= mostDeleted }
  },

  addReaction: (input, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, input.message_id)
    const { emoji_code, reaction_type, emoji_name } = emojiFrom(workspace, row.message_id, input)
    const { changes } = workspace.db.run(
      'INSERT OR IGNORE INTO reactions (message_id, user_id, reaction_type, emoji_code, emoji_name) VALUES (?, ?, ?, ?, ?)',
      row.message_id,
      user.user_id,
      reaction_type,
      emoji_code,
      emoji_name,
    )
    if (changes === 0) throw new ServiceError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
    keepOwnRow(workspace, user, row.message_id)
    publishReaction(workspace, user, row, 'add', { emoji_name, emoji_code, reaction_type })
    return {}
  },

  removeReaction: (input, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, input.message_id)
    const named = input.emoji_name === undefined ? undefined : emojiByName(workspace.db, input.emoji_name)
    const type = reactionTypeFrom(input.reaction_type) ?? named?.reaction_type ?? 'unicode_emoji'
    const code =
      input.emoji_code ??
      (type === 'unicode_emoji' && input.emoji_name !== undefined
        ? emojiCodeByName(input.emoji_name)
        : named?.emoji_code)
    const known = workspace.db.get<{ emoji_name: string; emoji_code: string; reaction_type: string }>(
      `SELECT * FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?`,
      row.message_id,
      user.user_id,
      type,
      code ?? '',
    )
    if (known === undefined) throw new ServiceError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")
    const { emoji_name, emoji_code, reaction_type } = known
    workspace.db.run(
      'DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?',
      row.message_id,
      user.user_id,
      reaction_type,
      emoji_code,
    )
    publishReaction(workspace, user, row, 'remove', { emoji_name, emoji_code, reaction_type })
    return {}
  },
}

interface Emoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

function emojiFrom(
  workspace: Workspace,
  messageId: number,
  input: { emoji_name: string; emoji_code?: string | undefined; reaction_type?: string | undefined },
): Emoji {
  const named = emojiByName(workspace.db, input.emoji_name)
  const reaction_type = reactionTypeFrom(input.reaction_type) ?? named?.reaction_type ?? 'unicode_emoji'
  const code =
    input.emoji_code ??
    (reaction_type === 'unicode_emoji' ? emojiCodeByName(input.emoji_name) : named?.emoji_code)
  if (code === undefined) throw badRequest(`Emoji '${input.emoji_name}' does not exist`)
  // Somebody has already used this emoji on the message: this is a vote for theirs, whatever today's emoji data says.
  const known = workspace.db.get<Emoji>(
    'SELECT * FROM reactions WHERE message_id = ? AND reaction_type = ? AND emoji_code = ? LIMIT 1',
    messageId,
    reaction_type,
    code,
  )
  if (known !== undefined) return { emoji_name: known.emoji_name, emoji_code: code, reaction_type }
  return checkedEmoji(workspace.db, { emoji_name: input.emoji_name, emoji_code: code, reaction_type })
}

function publishReaction(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  op: 'add' | 'remove',
  emoji: Emoji,
): void {
  workspace.publish(audienceOf(workspace, row), {
    type: 'reaction',
    op,
    message_id: row.message_id,
    ...emoji,
    user_id: user.user_id,
    user: { user_id: user.user_id, email: user.email, full_name: user.full_name },
  })
}
