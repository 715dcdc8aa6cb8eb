import type { Database } from '../database.ts'
import type { Workspace } from '../workspace.ts'

/** The people whom a person has muted, as the API shows them. */
export function mutedUsersOf(workspace: Workspace, userId: number): { id: number; timestamp: number }[] {
  return workspace.db.all<{ id: number; timestamp: number }>(
    'SELECT muted_id AS id, timestamp FROM muted_users WHERE user_id = ? ORDER BY timestamp, muted_id',
    userId,
  )
}

/** Whether a person has muted another. */
export function hasMuted(db: Database, userId: number, mutedId: number): boolean {
  return db.get('SELECT 1 FROM muted_users WHERE user_id = ? AND muted_id = ?', userId, mutedId) !== undefined
}

/** Everybody who has muted a person. */
export function mutingPeople(db: Database, mutedId: number): Set<number> {
  return new Set(db.column<number>('SELECT user_id FROM muted_users WHERE muted_id = ?', mutedId))
}
