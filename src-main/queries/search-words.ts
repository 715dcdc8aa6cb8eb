import type { ReadableDb } from '../store/database.ts'
import { hasLoneLetters, shortestPart, termsOf, withLettersApart } from '../store/terms.ts'
import { termsWithin } from '../store/vocabulary.ts'

/** How many words with one part are looked for at once, for all that was typed together. */
const mostTerms = 128
/** How many longer words are tried at each end of words that stand together: phrases take longer than words. */
const mostAtEachEnd = 6
/** How many times at most the index is asked for one beginning. */
const mostBeginnings = 4
/** Who types more words than that does not mean parts of them. */
const mostTyped = 8

/** Quoted, so that nothing a person types is an operator of the index. */
const quoted = (text: string): string => `"${withLettersApart(text).replaceAll('"', '""')}"`

/** What comes second in words that begin with a Latin letter or a digit, as the index writes it. */
const seconds = [...'abcdefghijklmnopqrstuvwxyz0123456789ßøæœłđðþıħŋ']

/**
 * A word that is still being typed: those that begin with it. The index knows beginnings of two letters; for one it
 * would put together what a tenth of all messages have before it found the newest of them, where it goes through many
 * beginnings of two side by side.
 */
function beginning(word: string): string {
  const letter = word.toLowerCase()
  return /^[a-z\d]$/.test(letter)
    ? `(${[quoted(letter), ...seconds.map((second) => `${quoted(letter + second)} *`)].join(' OR ')})`
    : `${quoted(word)} *`
}

/** What is looked for as words. */
export interface WordsMatch {
  /** For the index; null when there are none. */
  readonly match: string | null
  /** To be marked in excerpts. */
  readonly needles: readonly string[]
  /** Some have to stand together, so that the index goes through all messages with them to find those where they do. */
  readonly hasPhrases: boolean
}

/** The words for the index; the last one also as a beginning, since it is still being typed. */
export function wordsMatch(words: string): WordsMatch {
  const parts = [...words.matchAll(/"([^"]+)"?|([\p{L}\p{M}\p{N}_]+)/gu)]
  if (parts.length === 0) return { match: null, needles: [], hasPhrases: false }
  const needles: string[] = []
  const match = parts.map((part, index) => {
    const phrase = part[1]
    const needle = phrase ?? part[2] ?? ''
    needles.push(needle)
    const isLast = index === parts.length - 1 && phrase === undefined && isBeingTyped(words)
    return hasLoneLetters(needle) ? apartOrTogether(needle) : isLast ? beginning(needle) : quoted(needle)
  })
  const hasPhrases = needles.some((needle) => termsOf(withLettersApart(needle)).length > 1)
  return { match: match.join(' AND '), needles, hasPhrases }
}

const isBeingTyped = (words: string): boolean => /\S$/.test(words)

/** Until all messages of an older version have been written anew, some of their letters stand together. */
const apartOrTogether = (needle: string): string =>
  `(${quoted(needle)} OR "${needle.replaceAll('"', '""')}" *)`

/** What is looked for as parts of words. */
export interface PartsMatch {
  /** For the index. */
  readonly match: string
  /** To be marked in excerpts; what is joined by signs is one. */
  readonly needles: readonly string[]
}

/**
 * Messages with what was typed as parts of words, beside those that `wordsMatch` finds; null when no word has such a
 * part. Each word typed may be one. Signs within it say that what they join stands together: its first word may then be
 * the end of a longer one, and its last the beginning. Phrases are exact. Of very many longer words only the most
 * frequent and the newest are looked for (`termsWithin`).
 */
export function partsMatch(db: ReadableDb, words: string): PartsMatch | null {
  const typed = [...words.matchAll(/"([^"]+)"?|[^\s"]+/gu)]
    .map(([text, phrase]) => ({ text, phrase, terms: termsOf(phrase ?? text) }))
    .filter(({ terms }) => terms.length > 0)
  if (typed.length === 0 || typed.length > mostTyped) return null
  const isAlone = typed.length === 1
  const most = Math.floor(mostTerms / typed.length)
  let hasParts = false
  const match = typed.map(({ text, phrase, terms }, index) => {
    if (phrase !== undefined) return quoted(phrase)
    if (hasLoneLetters(text)) return apartOrTogether(text)
    const isOpen = index === typed.length - 1 && isBeingTyped(words)
    const longer =
      terms.length > 1 ? joinedWays(db, terms, most) : longerTerms(db, terms, isAlone && isOpen, most)
    const [first = ''] = terms
    const itself =
      isOpen && terms.length === 1 ? beginning(first) : terms.map(quoted).join(' + ') + (isOpen ? ' *' : '')
    if (longer.length === 0) return itself
    hasParts = true
    // Alone, the word itself has been found already; beside others, what begins with it is among the longer ones.
    const ways = isAlone ? longer : [terms.length > 1 ? itself : quoted(first), ...longer]
    return `(${ways.join(' OR ')})`
  })
  if (!hasParts) return null
  const needles = typed.map(
    ({ text, phrase }) => phrase ?? text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
  )
  return { match: match.join(' AND '), needles }
}

/** Words that a single one is a part of, for the index. */
const longerTerms = (
  db: ReadableDb,
  [term = '']: readonly string[],
  hasBeginnings: boolean,
  most: number,
): string[] => termsWithin(db, term, hasBeginnings ? 'inside' : 'anywhere', most).map(quoted)

/** The ways to go on in longer words at both ends of words that stand together, for the index. */
function joinedWays(db: ReadableDb, terms: readonly string[], most: number): string[] {
  const [first = '', ...rest] = terms
  const last = rest.pop() ?? ''
  // A beginning makes the index read all that begins so, for each way anew.
  const isShort = [...last].length < shortestPart
  const side = Math.min(mostAtEachEnd, Math.floor(Math.sqrt(most)))
  const starts = termsWithin(db, first, 'end', isShort ? mostBeginnings : side)
  const ends = isShort ? [`${quoted(last)} *`] : [last, ...termsWithin(db, last, 'start', side)].map(quoted)
  return starts.flatMap((start) => ends.map((end) => [...[start, ...rest].map(quoted), end].join(' + ')))
}
