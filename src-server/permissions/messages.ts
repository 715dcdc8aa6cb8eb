import type { Database } from '../database.ts'
import type { ChannelRow, UserRow } from '../workspace.ts'
import { canReadChannel } from './channels.ts'

/**
 * SQL that is true for messages a person may read; `m` is the message. Takes the named values of
 * `readableParameters`. A channel must be open to the person now; then own rows count, and the whole history of a
 * channel that shares it. Of direct messages only own rows count.
 */
export const readableSql = `(
  (m.channel_id IN (SELECT value FROM json_each(:open_history)))
  OR ((m.channel_id IS NULL OR m.channel_id IN (SELECT value FROM json_each(:own_history)))
    AND EXISTS (SELECT 1 FROM user_messages um WHERE um.user_id = :user AND um.message_id = m.message_id)))`

/** The values that `readableSql` needs, for one person as things are now. */
export function readableParameters(
  db: Database,
  user: UserRow,
): { user: number; open_history: string; own_history: string } {
  const open: number[] = []
  const own: number[] = []
  for (const channel of db.all<ChannelRow>('SELECT * FROM channels')) {
    if (!canReadChannel(db, user, channel)) continue
    ;(channel.has_shared_history === 1 ? open : own).push(channel.channel_id)
  }
  return { user: user.user_id, open_history: JSON.stringify(open), own_history: JSON.stringify(own) }
}
