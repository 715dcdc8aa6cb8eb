import type { Database } from '../database.ts'

/** The id of a set of people's conversation; it is created if there is none. */
export function directGroupId(db: Database, userIds: readonly number[]): number {
  const key = JSON.stringify([...new Set(userIds)].sort((a, b) => a - b))
  const known = db.get<{ group_id: number }>('SELECT group_id FROM direct_groups WHERE user_ids = ?', key)
  return known?.group_id ?? db.run('INSERT INTO direct_groups (user_ids) VALUES (?)', key).lastId
}

/** Everybody in a conversation, including the author. */
export function directUserIds(db: Database, groupId: number): number[] {
  const row = db.get<{ user_ids: string }>('SELECT user_ids FROM direct_groups WHERE group_id = ?', groupId)
  // `directGroupId` wrote it.
  return JSON.parse(row?.user_ids ?? '[]') as number[]
}
