import type { Handlers } from '../../src-shared/api/index.ts'
import { alertWordsOf, hasMuted } from '../people/alert-words.ts'
import { badRequest } from '../service-error.ts'
import { canAccessUser } from '../people/user-access.ts'
import { userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestWord = 100

export const alertWords: Pick<
  Handlers<HandlerContext>,
  'getAlertWords' | 'addAlertWords' | 'removeAlertWords' | 'muteUser' | 'unmuteUser'
> = {
  getAlertWords: (_input, { workspace, user }) => ({ alert_words: alertWordsOf(workspace.db, user.user_id) }),
  addAlertWords: ({ alert_words }, { workspace, user }) => {
    const words = cleaned(alert_words)
    const { db } = workspace
    const changes = db.transaction(() =>
      words.map((word) =>
        db.run(
          'INSERT OR IGNORE INTO alert_words (user_id, word, word_key) VALUES (?, ?, ?)',
          user.user_id,
          word,
          word.toLowerCase(),
        ),
      ),
    )
    return published(workspace, user, changes)
  },
  removeAlertWords: ({ alert_words }, { workspace, user }) => {
    const words = cleaned(alert_words)
    const { db } = workspace
    const changes = db.transaction(() =>
      words.map((word) =>
        db.run(
          'DELETE FROM alert_words WHERE user_id = ? AND word_key = ?',
          user.user_id,
          word.toLowerCase(),
        ),
      ),
    )
    return published(workspace, user, changes)
  },
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

function cleaned(words: readonly string[]): string[] {
  return words
    .map((word) => {
      const trimmed = word.trim()
      if ([...trimmed].length > longestWord)
        throw badRequest(`An alert word may have ${longestWord} characters at most.`)
      return trimmed
    })
    .filter((word) => word !== '')
}

function published(
  workspace: Workspace,
  user: UserRow,
  changes: readonly { changes: number }[],
): { alert_words: string[] } {
  const all = { alert_words: alertWordsOf(workspace.db, user.user_id) }
  if (changes.some((one) => one.changes > 0))
    workspace.publish([user.user_id], { type: 'alert_words', ...all })
  return all
}

function assertMutable(workspace: Workspace, user: UserRow, id: number): void {
  if (user.user_id === id) throw badRequest('Cannot mute self')
  if (userById(workspace.db, id) === undefined || !canAccessUser(workspace.db, user, id))
    throw badRequest('No such user')
}

/** Messages of a muted person count as read. */
function markRead(workspace: Workspace, user: UserRow, mutedId: number): void {
  const unread = workspace.db.all<{ message_id: number }>(
    `SELECT um.message_id FROM user_messages um JOIN messages m ON m.message_id = um.message_id
     WHERE um.user_id = ? AND um.is_read = 0 AND m.sender_id = ? ORDER BY um.message_id`,
    user.user_id,
    mutedId,
  )
  if (unread.length === 0) return
  const ids = unread.map((row) => row.message_id)
  workspace.db.run(
    'UPDATE user_messages SET is_read = 1 WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))',
    user.user_id,
    JSON.stringify(ids),
  )
  workspace.publish([user.user_id], {
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'read',
    messages: ids,
    all: false,
  })
}

/** The people whom a person has muted, as the API shows them. */
export function mutedUsersOf(workspace: Workspace, userId: number): { id: number; timestamp: number }[] {
  return workspace.db.all<{ id: number; timestamp: number }>(
    'SELECT muted_id AS id, timestamp FROM muted_users WHERE user_id = ? ORDER BY timestamp, muted_id',
    userId,
  )
}

const publishMuted = (workspace: Workspace, user: UserRow) =>
  workspace.publish([user.user_id], {
    type: 'muted_users',
    muted_users: mutedUsersOf(workspace, user.user_id),
  })
