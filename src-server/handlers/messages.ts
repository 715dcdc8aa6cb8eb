import { createHash } from 'node:crypto'
import type { Handlers } from '../../src-shared/api/index.ts'
import type { ApiAttachment } from '../../src-shared/api/uploads.ts'
import { apiAttachment, filesOfMessage, isShown, noteFiles, publishAttachment } from '../attachments.ts'
import { emojiCodeByName } from '../markdown/emoji.ts'
import {
  directUserIds,
  normalizeContent,
  normalizeTopic,
  render,
  sendMessage,
  targetFrom,
  topicKey,
  type MessageRow,
} from '../messages.ts'
import { accessibleMessage } from '../message-pages.ts'
import { accessibleChannel, assertCanPost, isAdministrator } from '../permissions.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { subscribersOf, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** Everybody who has a row for a message, or may see its reactions and edits. */
export function audienceOf(
  workspace: Workspace,
  row: Pick<MessageRow, 'message_id' | 'channel_id' | 'direct_group_id'>,
): number[] {
  return row.channel_id === null
    ? directUserIds(workspace.db, row.direct_group_id ?? 0)
    : subscribersOf(workspace.db, row.channel_id)
}

export const messages: Pick<
  Handlers<HandlerContext>,
  'sendMessage' | 'updateMessage' | 'deleteMessage' | 'addReaction' | 'removeReaction'
> = {
  sendMessage: (input, { workspace, user, client }) => {
    const target = targetFrom(workspace, user, input.type, input.to, input.topic)
    const id = sendMessage(workspace, {
      sender: user,
      target,
      content: input.content,
      client,
      readBySender: input.read_by_sender ?? user.bot_type === null,
      ...(input.local_id === undefined ? {} : { localId: input.local_id }),
      ...(input.queue_id === undefined ? {} : { queueId: input.queue_id }),
    })
    return { id }
  },

  updateMessage: (input, { workspace, user }) => {
    const { db } = workspace
    const row = accessibleMessage(workspace, user, input.message_id)
    if (input.content === undefined && input.topic === undefined && input.stream_id === undefined) {
      throw badRequest('Nothing to change')
    }
    if (input.content !== undefined && input.stream_id !== undefined) {
      throw badRequest('Cannot change message content while changing channel')
    }
    const detached =
      input.content === undefined
        ? []
        : editContent(workspace, user, row, input.content, input.prev_content_sha256)
    if (input.topic !== undefined || input.stream_id !== undefined) {
      if (row.channel_id === null) throw badRequest('Direct messages cannot be moved')
      const channelId = input.stream_id ?? row.channel_id
      const channel = accessibleChannel(db, user, channelId)
      assertCanPost(db, user, channel)
      const topic = input.topic === undefined ? row.topic : normalizeTopic(db, input.topic)
      if (topic !== row.topic || channelId !== row.channel_id) {
        moveMessages(workspace, user, row, channelId, topic, input.propagate_mode ?? 'change_one')
      }
    }
    return { detached_uploads: detached }
  },

  deleteMessage: ({ message_id }, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, message_id)
    if (row.sender_id !== user.user_id && !isAdministrator(user)) {
      throw badRequest("You don't have permission to delete this message")
    }
    const audience = audienceOf(workspace, row)
    const files = filesOfMessage(workspace, message_id)
    workspace.db.transaction(() => {
      workspace.db.run('DELETE FROM message_words WHERE rowid = ?', message_id)
      workspace.db.run('DELETE FROM messages WHERE message_id = ?', message_id)
    })
    const place =
      row.channel_id === null
        ? { message_type: 'private' }
        : { message_type: 'stream', stream_id: row.channel_id, topic: row.topic }
    workspace.publish(audience, { type: 'delete_message', message_ids: [message_id], ...place })
    for (const file of files) publishAttachment(workspace, file, 'update')
    return {}
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
    publishReaction(workspace, user, row, 'add', { emoji_name, emoji_code, reaction_type })
    return {}
  },

  removeReaction: (input, { workspace, user }) => {
    const row = accessibleMessage(workspace, user, input.message_id)
    const code =
      input.emoji_code ?? (input.emoji_name === undefined ? undefined : emojiCodeByName(input.emoji_name))
    const type = input.reaction_type ?? 'unicode_emoji'
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
  const reaction_type = input.reaction_type ?? 'unicode_emoji'
  const code = input.emoji_code ?? emojiCodeByName(input.emoji_name)
  if (code === undefined) throw badRequest(`Emoji '${input.emoji_name}' does not exist`)
  // Somebody chose it before: this is a vote for theirs, whatever the emoji data says today.
  const known = workspace.db.get<Emoji>(
    'SELECT * FROM reactions WHERE message_id = ? AND reaction_type = ? AND emoji_code = ? LIMIT 1',
    messageId,
    reaction_type,
    code,
  )
  if (known !== undefined) return { emoji_name: known.emoji_name, emoji_code: code, reaction_type }
  if (reaction_type !== 'unicode_emoji' || emojiCodeByName(input.emoji_name) !== code) {
    throw badRequest('Invalid emoji code.')
  }
  return { emoji_name: input.emoji_name, emoji_code: code, reaction_type }
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

function editContent(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  text: string,
  expected: string | undefined,
): ApiAttachment[] {
  if (row.sender_id !== user.user_id) throw badRequest("You don't have permission to edit this message")
  if (expected !== undefined && expected !== createHash('sha256').update(row.content).digest('hex')) {
    throw new ServiceError('EXPECTATION_MISMATCH', 'The message was changed by somebody else meanwhile.')
  }
  const content = text.trim() === '' ? '(deleted)' : normalizeContent(text)
  const rendered = render(workspace, user, content)
  const now = workspace.now()
  // Written by this service.
  const history = JSON.parse(row.edit_history) as unknown[]
  const entry = {
    user_id: user.user_id,
    timestamp: now,
    prev_content: row.content,
    prev_rendered_content: row.rendered,
  }
  const { begun, ceased } = workspace.db.transaction(() => {
    workspace.db.run(
      'UPDATE messages SET content = ?, rendered = ?, edited_at = ?, edit_history = ?, is_me_message = ? WHERE message_id = ?',
      content,
      rendered.html,
      now,
      JSON.stringify([entry, ...history]),
      rendered.isMeMessage ? 1 : 0,
      row.message_id,
    )
    workspace.db.run('DELETE FROM message_words WHERE rowid = ?', row.message_id)
    workspace.db.run(
      'INSERT INTO message_words (rowid, words) VALUES (?, ?)',
      row.message_id,
      `${content} ${row.topic}`,
    )
    return noteFiles(workspace, user, row.message_id, content)
  })
  for (const file of [...begun, ...ceased]) publishAttachment(workspace, file, 'update')
  for (const userId of audienceOf(workspace, row)) {
    const own = workspace.db.get<{ is_read: number; is_starred: number; mention: string }>(
      'SELECT is_read, is_starred, mention FROM user_messages WHERE user_id = ? AND message_id = ?',
      userId,
      row.message_id,
    )
    workspace.publish([userId], {
      type: 'update_message',
      user_id: user.user_id,
      edit_timestamp: now,
      message_id: row.message_id,
      message_ids: [row.message_id],
      flags: [
        ...(own?.is_read === 1 ? ['read'] : []),
        ...(own?.is_starred === 1 ? ['starred'] : []),
        ...(own === undefined || own.mention === '' ? [] : own.mention.split(' ')),
      ],
      rendering_only: false,
      content,
      rendered_content: rendered.html,
      orig_content: row.content,
      orig_rendered_content: row.rendered,
      is_me_message: rendered.isMeMessage,
      ...(row.channel_id === null ? {} : { stream_id: row.channel_id }),
    })
  }
  return ceased.filter((file) => !isShown(workspace, file)).map((file) => apiAttachment(workspace, file))
}

function moveMessages(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  channelId: number,
  topic: string,
  mode: 'change_one' | 'change_later' | 'change_all',
): void {
  const { db } = workspace
  const condition =
    mode === 'change_one' ? 'message_id = ?3' : mode === 'change_later' ? 'message_id >= ?3' : '?3 = ?3'
  const ids = db
    .all<{ message_id: number }>(
      `SELECT message_id FROM messages WHERE channel_id = ?1 AND topic_key = ?2 AND ${condition} ORDER BY message_id`,
      { 1: row.channel_id, 2: row.topic_key, 3: row.message_id },
    )
    .map((one) => one.message_id)
  const now = workspace.now()
  const before = subscribersOf(db, row.channel_id ?? 0)
  db.transaction(() => {
    for (const id of ids) {
      db.run(
        'UPDATE messages SET channel_id = ?, topic = ?, topic_key = ?, moved_at = ? WHERE message_id = ?',
        channelId,
        topic,
        topicKey(topic),
        now,
        id,
      )
    }
  })
  workspace.publish(new Set([...before, ...subscribersOf(db, channelId)]), {
    type: 'update_message',
    user_id: user.user_id,
    edit_timestamp: now,
    message_id: row.message_id,
    message_ids: ids,
    flags: [],
    rendering_only: false,
    stream_id: row.channel_id,
    ...(channelId === row.channel_id ? {} : { new_stream_id: channelId }),
    propagate_mode: mode,
    orig_subject: row.topic,
    subject: topic,
    topic_links: [],
  })
}
