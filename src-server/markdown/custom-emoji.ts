import type { Database } from '../database.ts'

/** A row of the table of custom emoji; flags are 0 or 1. */
export interface EmojiRow {
  readonly emoji_id: number
  readonly name: string
  readonly author_id: number
  readonly file_name: string
  readonly content_type: string
  readonly is_animated: number
  readonly is_deactivated: number
}

/** The path of an emoji's picture, below the root. */
export const emojiUrl = (row: Pick<EmojiRow, 'file_name'>): string =>
  `/user_avatars/1/emoji/images/${row.file_name}`

/** The path of an animated emoji's first frame; the animated picture itself if pictures cannot be scaled. */
const stillEmojiUrl = (row: Pick<EmojiRow, 'file_name'>): string =>
  `/user_avatars/1/emoji/images/still/${row.file_name}`

/** All emoji of the organization by id, including removed ones: old reactions still show those. */
export function customEmojiState(db: Database) {
  return Object.fromEntries(
    db.all<EmojiRow>('SELECT * FROM realm_emoji ORDER BY emoji_id').map((row) => [
      String(row.emoji_id),
      {
        id: String(row.emoji_id),
        name: row.name,
        source_url: emojiUrl(row),
        still_url: row.is_animated === 1 ? stillEmojiUrl(row) : null,
        deactivated: row.is_deactivated === 1,
        author_id: row.author_id,
      },
    ]),
  )
}

/** The active emoji with this name. */
export const activeEmoji = (db: Database, name: string): EmojiRow | undefined =>
  db.get<EmojiRow>('SELECT * FROM realm_emoji WHERE name = ? AND is_deactivated = 0', name)
