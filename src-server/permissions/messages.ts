import type { Database } from '../database.ts'
import { channelById, type UserRow } from '../workspace.ts'
import { canReadChannel } from './channels.ts'
import { isGuest } from './roles.ts'

const ownRow =
  'EXISTS (SELECT 1 FROM user_messages um WHERE um.user_id = :user AND um.message_id = m.message_id)'

/**
 * SQL that is true for messages that a person may read; `m` is the message. It takes the named values of
 * `readableParameters`.
 * A message in a channel requires that the channel is open to the person now. Then it is readable if the person has a
 * row for it, or if the channel shares its history. A direct message requires a row of the person. Each condition is
 * one index lookup.
 */
export const readableSql = `(
  EXISTS (SELECT 1 FROM channels c WHERE c.channel_id = m.channel_id
    AND (c.is_web_public = 1 OR (c.is_private = 0 AND :guest = 0)
      OR EXISTS (SELECT 1 FROM subscriptions s
        WHERE s.user_id = :user AND s.channel_id = c.channel_id AND s.is_active = 1)
      OR c.channel_id IN (SELECT value FROM json_each(:let_in)))
    AND (c.has_shared_history = 1 OR ${ownRow}))
  OR (m.channel_id IS NULL AND ${ownRow}))`

/** The values that `readableSql` needs for one person, as of now. */
export function readableParameters(
  db: Database,
  user: UserRow,
): { user: number; guest: 0 | 1; let_in: string } {
  // The SQL covers channels that are open by themselves; these are the few that a permission opens to this person.
  const opened = db.column<number>(
    `SELECT DISTINCT object_id FROM permission_values
     WHERE kind = 'channel' AND setting IN ('can_subscribe_group', 'can_add_subscribers_group')`,
  )
  const letIn = opened.filter((id) => {
    const channel = channelById(db, id)
    return channel !== undefined && canReadChannel(db, user, channel)
  })
  return { user: user.user_id, guest: isGuest(user) ? 1 : 0, let_in: JSON.stringify(letIn) }
}
