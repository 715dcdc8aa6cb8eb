import type { EmojiChoices } from '../../src-shared/model/emoji.ts'
import type { Emoji } from '../../src-shared/model/message.ts'
import { idAtDepth } from '../store/messages.ts'
import type { QueryContext } from './context.ts'

/** How many of the most used emoji are offered. */
const mostOften = 18
/** Only the newest messages count as habit: what was usual a year ago may not be now. */
const habitDepth = 3_000
/** More custom emoji than a person can look through. */
const mostOwn = 2_000

/** The emoji to choose from besides Unicode's: the person's usual ones and the organization's own. Bounded. */
export function emoji({ db, ownUserId }: QueryContext): EmojiChoices {
  const often = db.all<{ type: Emoji['type']; code: string; name: string; image: string | null }>(
    `SELECT r.emoji_type AS type, r.emoji_code AS code, min(r.emoji_name) AS name, min(e.source_url) AS image
     FROM reactions r
     LEFT JOIN realm_emoji e ON r.emoji_type = 'realm_emoji' AND e.emoji_id = r.emoji_code
     WHERE r.message_id >= ? AND r.user_id = ? AND (e.is_deactivated IS NULL OR e.is_deactivated = 0)
     GROUP BY r.emoji_type, r.emoji_code ORDER BY count(*) DESC, max(r.message_id) DESC LIMIT ?`,
    [idAtDepth(db, habitDepth), ownUserId, mostOften],
  )
  const own = db.all<{ code: string; name: string; image: string }>(
    `SELECT emoji_id AS code, name, source_url AS image FROM realm_emoji
     WHERE is_deactivated = 0 ORDER BY name LIMIT ?`,
    [mostOwn],
  )
  return {
    often: often.map(({ image, ...one }) => ({ emoji: one, imageUrl: image })),
    organization: own.map(({ image, code, name }) => ({
      emoji: { code, name, type: 'realm_emoji' },
      imageUrl: image,
    })),
  }
}
