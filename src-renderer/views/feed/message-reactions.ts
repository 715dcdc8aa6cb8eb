import type { Emoji, FeedMessage } from '../../../src-shared/model/message.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** The emoji of the `+` key. */
export const thumbsUp: Emoji = { name: '+1', code: '1f44d', type: 'unicode_emoji' }
const eyes: Emoji = { name: 'eyes', code: '1f440', type: 'unicode_emoji' }

/** The two emoji offered beside a message: the person's most used ones, filled up with most people's. */
export function readyEmoji(often: readonly { readonly emoji: Emoji }[]): readonly Emoji[] {
  const usual = often.map(({ emoji }) => emoji).filter(({ type }) => type === 'unicode_emoji')
  const missing = [thumbsUp, eyes].filter(({ code }) => !usual.some((one) => one.code === code))
  return [...usual, ...missing].slice(0, 2)
}

/** Whether the own user reacted to the message with that emoji. */
export const isMyReaction = (message: FeedMessage, { type, code }: Emoji): boolean =>
  message.reactions.some(({ isMine, emoji }) => isMine && emoji.type === type && emoji.code === code)

/** The names of the people who chose an emoji, on one line. */
export function reactionNames(names: readonly string[], total: number): string {
  const more = total - names.length
  return t.list(more > 0 ? [...names, t.feed.reactions.others(more)] : names)
}
