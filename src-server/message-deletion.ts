import { filesOfMessage, publishAttachment } from './attachments.ts'
import { audienceOf } from './message-audience.ts'
import { removeWords } from './message-words.ts'
import type { MessageRow } from './messages.ts'
import { viewersOf } from './permissions.ts'
import { channelById, type Workspace } from './workspace.ts'

/** Takes a message out of the world, with everything that hangs on it, and tells everybody who had it. */
export function deleteMessage(workspace: Workspace, row: MessageRow): void {
  const { db } = workspace
  const audience = audienceOf(workspace, row)
  const files = filesOfMessage(workspace, row.message_id)
  const first = firstIn(workspace, row.channel_id)
  db.transaction(() => {
    removeWords(db, row.message_id)
    db.run('DELETE FROM messages WHERE message_id = ?', row.message_id)
  })
  const place =
    row.channel_id === null
      ? { message_type: 'private' }
      : { message_type: 'stream', stream_id: row.channel_id, topic: row.topic }
  workspace.publish(audience, { type: 'delete_message', message_ids: [row.message_id], ...place })
  for (const file of files) publishAttachment(workspace, file, 'update')
  const channel = row.channel_id === null ? undefined : channelById(db, row.channel_id)
  if (channel === undefined || first !== row.message_id) return
  workspace.publish(viewersOf(db, channel), {
    type: 'stream',
    op: 'update',
    stream_id: channel.channel_id,
    name: channel.name,
    property: 'first_message_id',
    value: firstIn(workspace, channel.channel_id),
  })
}

const firstIn = ({ db }: Workspace, channelId: number | null): number | null =>
  db.get<{ id: number | null }>('SELECT min(message_id) AS id FROM messages WHERE channel_id = ?', channelId)
    ?.id ?? null
