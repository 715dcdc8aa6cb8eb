import type { Database } from '../database.ts'
import { emojiCodeByName } from '../../src-shared/markdown/emoji.ts'
import { badRequest } from '../service-error.ts'

/** An emoji, as reactions and statuses identify it. */
export interface NamedEmoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
}

/** The service's own picture emoji. */
const extraEmoji = 'zulip'

/** The namespace that a request names, in our word for it; real servers spell one differently. */
export const reactionTypeFrom = (type: string | undefined): string | undefined =>
  type === 'zulip_extra_emoji' ? 'service_extra_emoji' : type

/** The present meaning of a name: the organization's own emoji first, then the service's, then Unicode's. */
export function emojiByName(db: Database, name: string): NamedEmoji | undefined {
  const own = db.get<{ emoji_id: number }>(
    'SELECT emoji_id FROM realm_emoji WHERE name = ? AND is_deactivated = 0',
    name,
  )
  if (own !== undefined)
    return { emoji_name: name, emoji_code: String(own.emoji_id), reaction_type: 'realm_emoji' }
  if (name === extraEmoji)
    return { emoji_name: name, emoji_code: extraEmoji, reaction_type: 'service_extra_emoji' }
  const code = emojiCodeByName(name)
  return code === undefined
    ? undefined
    : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
}

/**
 * The emoji that a request names. If code and namespace are missing, the name determines them; refuses combinations
 * that do not belong together.
 */
export function checkedEmoji(
  db: Database,
  wanted: {
    emoji_name: string
    emoji_code?: string | undefined
    reaction_type?: string | undefined
  },
): NamedEmoji {
  const { emoji_name: name } = wanted
  const type = reactionTypeFrom(wanted.reaction_type)
  if (type !== undefined && !['unicode_emoji', 'realm_emoji', 'service_extra_emoji'].includes(type))
    throw badRequest('Invalid emoji type.')
  const code = emojiCodeByName(name)
  const unicode: NamedEmoji | undefined =
    code === undefined ? undefined : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
  const found = type === 'unicode_emoji' ? unicode : emojiByName(db, name)
  if (found === undefined || (type !== undefined && found.reaction_type !== type))
    throw badRequest(`Emoji '${name}' does not exist`)
  if (wanted.emoji_code !== undefined && wanted.emoji_code.toLowerCase() !== found.emoji_code)
    throw badRequest('Invalid emoji code.')
  return found
}
