import type { Handlers } from '../../src-shared/api/index.ts'
import { publishFlags } from '../messages/flags.ts'
import { hasMuted, mutedUsersOf } from '../people/muted-users.ts'
import { canAccessUser } from '../people/user-access.ts'
import { badRequest } from '../service-error.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

export const mutedUsers: Pick<Handlers<HandlerContext>, 'muteUser' | 'unmuteUser'> = {
  muteUser: ({ muted_user_id: id }, { workspace, user }) => {
    const { db } = workspace
    assertMutable(workspace, user, id)
    if (hasMuted(db, user.user_id, id)) throw badRequest('User already muted')
    db.transaction(() => {
      db.run('INSERT INTO muted_users VALUES (?, ?, ?)', user.user_id, id, workspace.now())
      markRead(workspace, user, id)
    })
    publishMuted(workspace, user)
    return {}
  },
  unmuteUser: ({ muted_user_id: id }, { workspace, user }) => {
    assertMutable(workspace, user, id)
    const { changes } = workspace.db.run(
      'DELETE FROM muted_users WHERE user_id = ? AND muted_id = ?',
      user.user_id,
      id,
    )
    if (changes === 0) throw badRequest('User is not muted')
    publishMuted(workspace, user)
    return {}
  },
}

function assertMutable(workspace: Workspace, user: UserRow, id: number): void {
  if (user.user_id === id) throw badRequest('Cannot mute self')
  if (userById(workspace.db, id) === undefined || !canAccessUser(workspace.db, user, id))
    throw badRequest('No such user')
}

/** Messages of a muted person count as read. */
function markRead(workspace: Workspace, user: UserRow, mutedId: number): void {
  const ids = workspace.db.column<number>(
    `SELECT um.message_id FROM user_messages um JOIN messages m ON m.message_id = um.message_id
     WHERE um.user_id = ? AND um.is_read = 0 AND m.sender_id = ? ORDER BY um.message_id`,
    user.user_id,
    mutedId,
  )
  if (ids.length === 0) return
  workspace.db.run(
    'UPDATE user_messages SET is_read = 1 WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))',
    user.user_id,
    JSON.stringify(ids),
  )
  publishFlags(workspace, user, { op: 'add', flag: 'read', messages: ids, all: false })
}

const publishMuted = (workspace: Workspace, user: UserRow) =>
  workspace.publish([user.user_id], {
    type: 'muted_users',
    muted_users: mutedUsersOf(workspace, user.user_id),
  })
