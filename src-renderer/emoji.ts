import type { Emoji } from '../src-shared/model/message.ts'
import { t, type Texts } from '../src-shared/texts/texts.ts'

/** A Unicode emoji with everything by which it can be found. */
export interface KnownEmoji {
  readonly emoji: Emoji
  /** The characters. */
  readonly text: string
  /** All its short names, the best first. */
  readonly names: readonly string[]
  /** Its names in the window's language if that is not English, in the form of a short name; never sent. */
  readonly ownNames: readonly string[]
  /** Words about it, in lower case. */
  readonly words: readonly string[]
  readonly group: number
  /** The characters in each skin tone, the lightest first; empty if it has none. */
  readonly tones: readonly string[]
}

/** The groups of Unicode emoji, by number. The second is left out, because it holds components of others. */
export const emojiGroups: ReadonlyMap<number, keyof Texts['emoji']['groups']> = new Map([
  [0, 'smileys'],
  [1, 'people'],
  [3, 'nature'],
  [4, 'food'],
  [5, 'travel'],
  [6, 'activities'],
  [7, 'objects'],
  [8, 'symbols'],
  [9, 'flags'],
])

/** One entry of the data set. */
export interface EmojiEntry {
  readonly hexcode: string
  readonly label: string
  readonly unicode: string
  readonly group?: number
  readonly order?: number
  readonly tags?: readonly string[]
  readonly skins?: readonly { readonly unicode: string }[]
}

/** The words of an emoji in another language. */
export type EmojiWords = Pick<EmojiEntry, 'hexcode' | 'label' | 'tags'>

/** How many skin tones there are. */
export const skinTones = 5
/** Short names by code points. */
export type ShortNames = Readonly<Record<string, string | readonly string[]>>

const withoutSelectors = (code: string) => code.toLowerCase().replace(/-fe0[ef](?=-|$)/g, '')

const lowerCase = (text: string) => text.toLowerCase()
const wordsIn = (label: string): readonly string[] => lowerCase(label).match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * The emoji of a data set in its order. A short name has the meaning of the first set that contains it, so a name from
 * here means the same to the server.
 */
function knownEmoji(
  entries: readonly EmojiEntry[],
  sets: readonly ShortNames[],
  translated: readonly EmojiWords[],
): KnownEmoji[] {
  const ownWords = new Map(translated.map((one) => [one.hexcode, one]))
  const codeOf = new Map<string, string>()
  const namesOf = new Map<string, string[]>()
  for (const set of sets) {
    for (const [points, given] of Object.entries(set)) {
      const code = withoutSelectors(points)
      for (const name of [given].flat()) {
        if (codeOf.has(name)) continue
        codeOf.set(name, code)
        namesOf.set(code, [...(namesOf.get(code) ?? []), name])
      }
    }
  }
  return entries
    .flatMap((entry): (KnownEmoji & { order: number })[] => {
      const code = withoutSelectors(entry.hexcode)
      const names = namesOf.get(code) ?? []
      const [name] = names
      const own = ownWords.get(entry.hexcode)
      if (name === undefined || entry.group === undefined || !emojiGroups.has(entry.group)) return []
      return [
        {
          emoji: { name, code, type: 'unicode_emoji' },
          text: entry.unicode,
          names,
          ownNames: own === undefined ? [] : [wordsIn(own.label).join('_')],
          words: [...wordsIn(entry.label), ...(entry.tags ?? []), ...(own?.tags ?? []).map(lowerCase)],
          group: entry.group,
          // Emoji of two people have more variants, one for each pair of tones.
          tones: entry.skins?.length === skinTones ? entry.skins.map(({ unicode }) => unicode) : [],
          order: entry.order ?? 0,
        },
      ]
    })
    .sort((a, b) => a.order - b.order)
}

/** How well something matches a search: lower is better, null means not at all. */
function rank(names: readonly string[], words: readonly string[], wanted: string): number | null {
  if (names.includes(wanted)) return 0
  if (names.some((name) => name.startsWith(wanted))) return 1
  if (names.some((name) => name.split('_').some((part) => part.startsWith(wanted)))) return 2
  if (words.some((word) => word.startsWith(wanted))) return 3
  if (names.some((name) => name.includes(wanted))) return 4
  return null
}

/** The emoji that match a search, best first; of several words, all must match. An empty text finds nothing. */
export function findEmoji<
  T extends Pick<KnownEmoji, 'names' | 'words'> & Partial<Pick<KnownEmoji, 'ownNames'>>,
>(all: readonly T[], text: string): T[] {
  const wanted = text
    .toLowerCase()
    .replaceAll(':', '')
    .split(/[\s_]+/)
    .filter(Boolean)
  const whole = wanted.join('_')
  if (whole === '') return []
  return all
    .flatMap((one) => {
      const names = [...one.names, ...(one.ownNames ?? [])]
      const parts = wanted.map((word) => rank(names, one.words, word))
      const best = rank(names, one.words, whole)
      // Two letters are more often the beginning of a word than a flag's country code.
      if (best === 0 && one.names.includes(`flag-${whole}`)) return [{ one, score: 1.5 }]
      if (best === null && parts.some((part) => part === null)) return []
      return [{ one, score: best ?? 5 + Math.max(...parts.map((part) => part ?? 0)) }]
    })
    .sort((a, b) => a.score - b.score)
    .map(({ one }) => one)
}

const noWords = Promise.resolve({ default: [] })
/** The words of other languages than English, by the language of a locale. */
const translations: Readonly<Record<string, () => Promise<{ readonly default: readonly EmojiWords[] }>>> = {
  de: () => import('emojibase-data/de/compact.json'),
}

let loading: { readonly locale: string; readonly emoji: Promise<readonly KnownEmoji[]> } | null = null

/**
 * All Unicode emoji, with their words in English and in the window's language; loaded from the app's own files on the
 * first call.
 */
export function loadEmoji(): Promise<readonly KnownEmoji[]> {
  const { locale } = t
  if (loading?.locale !== locale) {
    const emoji = Promise.all([
      import('emojibase-data/en/compact.json'),
      translations[locale.split('-')[0] ?? '']?.() ?? noWords,
      import('emojibase-data/en/shortcodes/iamcal.json'),
      import('emojibase-data/en/shortcodes/github.json'),
      import('emojibase-data/en/shortcodes/joypixels.json'),
      import('emojibase-data/en/shortcodes/emojibase.json'),
      import('emojibase-data/en/shortcodes/cldr.json'),
    ]).then(([entries, translated, ...sets]) =>
      knownEmoji(
        entries.default,
        sets.map((set) => set.default),
        translated.default,
      ),
    )
    loading = { locale, emoji }
  }
  return loading.emoji
}
