import type { ReadableDb, WritableDb } from './database.ts'

/** Replaces the list of people whom the own user has muted. */
export function setMutedUsers(db: WritableDb, muted: readonly { id: number; since: number }[]): void {
  db.run('DELETE FROM muted_users')
  for (const { id, since } of muted) db.run('INSERT OR REPLACE INTO muted_users VALUES (?, ?)', [id, since])
}

/** Whether the own user has muted the person. */
export const isPersonMuted = (db: ReadableDb, userId: number): boolean =>
  db.get('SELECT 1 FROM muted_users WHERE user_id = ?', [userId]) !== undefined

/** Mutes a person, or ends that. Of one who is muted already, the time stays. */
export function setPersonMuted(db: WritableDb, userId: number, on: boolean, now: number): void {
  if (on) db.run('INSERT OR IGNORE INTO muted_users VALUES (?, ?)', [userId, now])
  else db.run('DELETE FROM muted_users WHERE user_id = ?', [userId])
}
