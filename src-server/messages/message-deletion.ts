import { filesOfMessage, publishAttachment } from '../files/attachments.ts'
import { audienceOf } from './message-audience.ts'
import { removeWords } from './message-words.ts'
import type { MessageRow } from './messages.ts'
import { viewersOf } from '../permissions/channels.ts'
import { channelById, type UserRow, type Workspace } from '../workspace.ts'

/**
 * Deletes messages of one topic or conversation, with everything that belongs to them, and tells everybody who had
 * them, and the person who deletes them.
 */
export function deleteMessages(workspace: Workspace, user: UserRow, rows: readonly MessageRow[]): void {
  const [row] = rows
  if (row === undefined) return
  const { db } = workspace
  const heard = idsByAudience(workspace, user, rows)
  const files = new Map(
    rows.flatMap(({ message_id: id }) =>
      filesOfMessage(workspace, id).map((file) => [file.attachment_id, file] as const),
    ),
  )
  const first = firstIn(workspace, row.channel_id)
  db.transaction(() => {
    for (const { message_id: id } of rows) {
      removeWords(db, id)
      db.run('DELETE FROM messages WHERE message_id = ?', id)
    }
  })
  const place =
    row.channel_id === null
      ? { message_type: 'private' }
      : { message_type: 'stream', stream_id: row.channel_id, topic: row.topic }
  for (const { audience, ids } of heard)
    workspace.publish(audience, { type: 'delete_message', message_ids: ids, ...place })
  for (const file of files.values()) publishAttachment(workspace, file, 'update')
  const channel = row.channel_id === null ? undefined : channelById(db, row.channel_id)
  if (channel === undefined || first === firstIn(workspace, channel.channel_id)) return
  workspace.publish(viewersOf(db, channel), {
    type: 'stream',
    op: 'update',
    stream_id: channel.channel_id,
    name: channel.name,
    property: 'first_message_id',
    value: firstIn(workspace, channel.channel_id),
  })
}

/** The ids of messages, ascending, grouped by who is told about them. */
function idsByAudience(workspace: Workspace, user: UserRow, rows: readonly MessageRow[]) {
  const heard = new Map<string, { audience: readonly number[]; ids: number[] }>()
  for (const row of [...rows].sort((a, b) => a.message_id - b.message_id)) {
    const audience = [...new Set([...audienceOf(workspace, row), user.user_id])].sort((a, b) => a - b)
    const known = heard.get(audience.join())
    if (known === undefined) heard.set(audience.join(), { audience, ids: [row.message_id] })
    else known.ids.push(row.message_id)
  }
  return heard.values()
}

const firstIn = ({ db }: Workspace, channelId: number | null): number | null =>
  db.get<{ id: number | null }>('SELECT min(message_id) AS id FROM messages WHERE channel_id = ?', channelId)
    ?.id ?? null
