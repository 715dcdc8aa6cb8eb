import { isSubscribed } from '../permissions/channels.ts'
import { badRequest } from '../service-error.ts'
import type { ChannelRow, UserRow, Workspace } from '../workspace.ts'
import { idsByPerson } from './message-audience.ts'
import { keepOwnRow } from './message-pages.ts'
import { directUserIds } from './direct-groups.ts'
import type { MessageRow } from './messages.ts'
import { mutedSql } from './narrow-terms.ts'

/** The flags that a person may change, each with its column. */
const columns: Readonly<Record<string, string>> = {
  read: 'is_read',
  starred: 'is_starred',
  collapsed: 'is_collapsed',
}

/** Tells a person's queues that a flag of these messages, or of all, has changed. */
export function publishFlags(
  workspace: Workspace,
  user: Pick<UserRow, 'user_id'>,
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
 * Marks these messages, which are in one channel, as read for everybody who is not subscribed to it, without telling
 * anybody; returns what each of them had not read.
 */
export function readOutside(
  { db }: Workspace,
  channel: ChannelRow,
  ids: readonly number[],
): Map<number, number[]> {
  const rows = db.all<{ user_id: number; message_id: number }>(
    `UPDATE user_messages SET is_read = 1 WHERE message_id IN (SELECT value FROM json_each(?)) AND is_read = 0
       AND user_id NOT IN (SELECT user_id FROM subscriptions WHERE channel_id = ? AND is_active = 1)
     RETURNING user_id, message_id`,
    JSON.stringify(ids),
    channel.channel_id,
  )
  return idsByPerson(rows.sort((a, b) => a.message_id - b.message_id))
}

/**
 * Changes a flag and tells the person's queues. Returns the channels where marking as unread was ignored, and how many
 * messages changed. Throws BAD_REQUEST for a flag that nobody may change.
 */
export function setFlag(
  workspace: Workspace,
  user: UserRow,
  wanted: readonly number[],
  { op, flag }: { readonly op: 'add' | 'remove'; readonly flag: string },
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

/** What clients need to count a message that is unread again (specification, update_message_flags). */
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
