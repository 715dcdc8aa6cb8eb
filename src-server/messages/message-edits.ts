import { createHash } from 'node:crypto'
import type { ApiAttachment } from '../../src-shared/api/uploads.ts'
import { alertedUsers } from '../people/alert-words.ts'
import { apiAttachment, isShown, recordLinkedFiles, publishAttachment } from '../files/attachments.ts'
import { audienceOf, flagsOf } from './message-audience.ts'
import { addHistory } from './message-history.ts'
import { applyMove, checkedMove, type MoveRequest } from './message-moves.ts'
import { changeWords } from './message-words.ts'
import { calledByTopic, mentionFlags, normalizeContent, type MessageRow } from './messages.ts'
import { render } from '../markdown/render.ts'
import { assertCanEdit } from '../permissions/message-changes.ts'
import { assertMayMention } from './sending-rules.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { channelById, userById, type UserRow, type Workspace } from '../workspace.ts'

/** The changes to a message (specification, PATCH /messages). */
export interface MessageChange extends MoveRequest {
  readonly content?: string | undefined
  /** The SHA-256, in hexadecimal, of the text that the person believes they are changing. */
  readonly expectedHash?: string | undefined
}

/** The new text, validated and rendered. */
interface NewWords {
  readonly content: string
  readonly rendered: ReturnType<typeof render>
}

/**
 * Changes the text of a message, its place, or both, and tells everybody concerned. All or nothing: it throws the
 * refusal of the first rule that is violated. Returns the files that no message links to any more.
 */
export function changeMessage(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  change: MessageChange,
): ApiAttachment[] {
  const { db } = workspace
  if (change.content !== undefined && change.channelId !== undefined)
    throw badRequest('Cannot change message content while changing channel')
  const words = change.content === undefined ? null : checkedWords(workspace, user, row, change)
  const move = checkedMove(workspace, user, row, change)
  if (words === null && move === null) throw badRequest('Nothing to change')
  const now = workspace.now()
  const { after, begun, ceased } = db.transaction(() => {
    const files = words === null ? { begun: [], ceased: [] } : writeWords(workspace, user, row, words)
    const moved = move === null ? null : applyMove(workspace, user, row, move, now)
    for (const id of moved?.ids ?? [row.message_id]) {
      const isNamed = id === row.message_id
      addHistory(workspace, id, {
        user_id: user.user_id,
        timestamp: now,
        ...(isNamed && words !== null
          ? { prev_content: row.content, prev_rendered_content: row.rendered }
          : {}),
        ...(moved?.history ?? {}),
      })
    }
    if (words !== null) {
      db.run('UPDATE messages SET edited_at = ? WHERE message_id = ?', now, row.message_id)
    }
    return { after: moved, ...files }
  })
  for (const file of [...begun, ...ceased]) publishAttachment(workspace, file, 'update')
  const event = {
    type: 'update_message',
    user_id: user.user_id,
    edit_timestamp: now,
    rendering_only: false,
    ...placeOf(workspace, row),
    ...(after?.fields ?? {}),
  }
  const wordFields =
    words === null
      ? {}
      : {
          content: words.content,
          rendered_content: words.rendered.html,
          orig_content: row.content,
          orig_rendered_content: row.rendered,
          is_me_message: words.rendered.isMeMessage,
        }
  const alone = [row.message_id]
  for (const [userId, ids] of after?.told ?? audienceOf(workspace, row).map((id) => [id, alone] as const)) {
    // Whoever may not know of the named message is told of the others that moved with it.
    const named = ids.includes(row.message_id) ? row.message_id : (ids[0] ?? 0)
    workspace.publish([userId], {
      ...event,
      message_id: named,
      message_ids: ids,
      flags: flagsOf(workspace, userId, named),
      ...(named === row.message_id ? wordFields : {}),
    })
  }
  after?.announce()
  return ceased.filter((file) => !isShown(workspace, file)).map((file) => apiAttachment(workspace, file))
}

function placeOf({ db }: Workspace, row: MessageRow): object {
  if (row.channel_id === null) return {}
  return { stream_id: row.channel_id, stream_name: channelById(db, row.channel_id)?.name ?? '' }
}

function checkedWords(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  { content = '', expectedHash }: MessageChange,
): NewWords {
  const { db } = workspace
  assertCanEdit(db, user, row, workspace.now())
  if (db.get('SELECT 1 FROM submessages WHERE message_id = ?', row.message_id) !== undefined)
    throw badRequest('Widgets cannot be edited.')
  if (expectedHash !== undefined && expectedHash.toLowerCase() !== hashOf(row.content))
    throw new ServiceError('EXPECTATION_MISMATCH', 'The message was changed by somebody else meanwhile.')
  const kept = content.trim() === '' ? '(deleted)' : normalizeContent(content)
  const rendered = render(workspace, user, kept)
  const channel = row.channel_id === null ? null : (channelById(db, row.channel_id) ?? null)
  assertMayMention(workspace, user, channel, row.topic, rendered)
  return { content: kept, rendered }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function writeWords(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  { content, rendered }: NewWords,
): ReturnType<typeof recordLinkedFiles> {
  const { db } = workspace
  db.run(
    `UPDATE messages SET content = ?, rendered = ?, is_me_message = ?, has_link = ?, has_image = ?, has_attachment = ?
     WHERE message_id = ?`,
    content,
    rendered.html,
    rendered.isMeMessage ? 1 : 0,
    rendered.hasLink ? 1 : 0,
    rendered.hasImage ? 1 : 0,
    rendered.hasAttachment ? 1 : 0,
    row.message_id,
  )
  changeWords(workspace.db, row.message_id, content, row.topic)
  const sender = userById(db, row.sender_id)
  const receivers = db.all<{ user_id: number; mention: string }>(
    'SELECT user_id, mention FROM user_messages WHERE message_id = ?',
    row.message_id,
  )
  const people = receivers.map((receiver) => receiver.user_id)
  const alerted = alertedUsers(db, people, content)
  const called = calledByTopic(db, rendered, row.channel_id, row.topic)
  for (const { user_id, mention } of receivers) {
    const marks = sender === undefined ? [] : mentionFlags(db, rendered, user_id, sender, called)
    const next = [...marks, ...(alerted.has(user_id) ? ['has_alert_word'] : [])].join(' ')
    if (next === mention) continue
    db.run(
      'UPDATE user_messages SET mention = ? WHERE user_id = ? AND message_id = ?',
      next,
      user_id,
      row.message_id,
    )
  }
  return recordLinkedFiles(workspace, user, row.message_id, content)
}
