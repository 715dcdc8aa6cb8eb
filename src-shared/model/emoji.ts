import type { Emoji } from './message.ts'

/** The longest emoji have ten code points. */
const mostPoints = 16

/**
 * Turns a dash-joined hex code into characters. It adds a variation selector to a heart and the like, so that they
 * appear as pictures. Empty if it is no such code.
 */
export function emojiFromCode(code: string): string {
  const points = code.split('-', mostPoints + 1).map((part) => parseInt(part, 16))
  if (points.length > mostPoints || points.some((point) => !Number.isInteger(point) || point > 0x10ffff))
    return ''
  const text = String.fromCodePoint(...points)
  return points.length === 1 && (points[0] ?? 0) < 0x1f000 ? `${text}\uFE0F` : text
}

/** The emoji that a person can choose besides those of Unicode. */
export interface EmojiChoices {
  /** What the person chose lately, most frequent first. */
  readonly often: readonly EmojiChoice[]
  /** The organization's own emoji, by name. */
  readonly organization: readonly EmojiChoice[]
}

/** An emoji to choose. */
export interface EmojiChoice {
  readonly emoji: Emoji
  /** The address of the picture; null for an emoji made of characters. */
  readonly imageUrl: string | null
}
