import type { WritableDb } from './database.ts'

/** Replaces all custom emoji of the organization. */
export function setRealmEmoji(
  db: WritableDb,
  emoji: readonly {
    id: string
    name: string
    sourceUrl: string
    stillUrl: string | null
    isDeactivated: boolean
    authorId: number | null
  }[],
): void {
  db.run('DELETE FROM realm_emoji')
  for (const one of emoji) {
    db.run('INSERT OR REPLACE INTO realm_emoji VALUES (?, ?, ?, ?, ?, ?)', [
      one.id,
      one.name,
      one.sourceUrl,
      one.stillUrl,
      one.isDeactivated ? 1 : 0,
      one.authorId,
    ])
  }
}
