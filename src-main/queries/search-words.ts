import type { ReadableDb } from '../store/database.ts'
import { beginningsOf } from '../store/beginnings.ts'
import { hasLoneLetters, shortestPart, termsOf, withLettersApart } from '../store/terms.ts'
import { untilChange } from '../store/until-change.ts'
import { termsWithin } from '../store/vocabulary.ts'

/** How many words with one part are searched at once, divided among all typed words. */
const mostTerms = 128
/** How many longer words are tried at each end of a phrase: phrases take longer than words. */
const mostAtEachEnd = 6
/** How often the index is searched for one beginning at most. */
const mostBeginnings = 4
/** With more typed words than this, parts of words are not searched. */
const mostTyped = 8

/** A quoted text, so that nothing a person types is an operator of the index. */
const quoted = (text: string): string => exactly(withLettersApart(text))

/** The same for a text as it is, such as a word of the index. The index reads a query up to its first NUL. */
const exactly = (text: string): string => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`

/** The query for words that begin with a word still being typed (see `beginningsOf`). */
function beginning(db: ReadableDb, typed: string): string {
  const [term = '', ...others] = termsOf(typed)
  const whole = `${quoted(typed)} *`
  if (term === '' || others.length > 0) return whole
  const { words, beginnings } = untilChange(db, `beginnings ${term}`, () => beginningsOf(db, term))
  const ways = [...words.map(exactly), ...beginnings.map((one) => `${exactly(one)} *`)]
  return ways.length === 0 ? whole : `(${ways.join(' OR ')})`
}

/** A search for words. */
export interface WordsMatch {
  /** The query for the index; null if there are no words. */
  readonly match: string | null
  /** Texts to mark in excerpts. */
  readonly needles: readonly string[]
  /** Whether some words must be adjacent, so that the index reads all messages with them to find those. */
  readonly hasPhrases: boolean
}

/** The index's query for the words; the last one also matches as a prefix while it is being typed. */
export function wordsMatch(db: ReadableDb, words: string): WordsMatch {
  const parts = [...words.matchAll(/"([^"]+)"?|([\p{L}\p{M}\p{N}_]+)/gu)]
  if (parts.length === 0) return { match: null, needles: [], hasPhrases: false }
  const needles: string[] = []
  const match = parts.map((part, index) => {
    const phrase = part[1]
    const needle = phrase ?? part[2] ?? ''
    needles.push(needle)
    const isLast = index === parts.length - 1 && phrase === undefined && isBeingTyped(words)
    return hasLoneLetters(needle) ? apartOrTogether(needle) : isLast ? beginning(db, needle) : quoted(needle)
  })
  const hasPhrases = needles.some((needle) => termsOf(withLettersApart(needle)).length > 1)
  return { match: match.join(' AND '), needles, hasPhrases }
}

const isBeingTyped = (words: string): boolean => /\S$/.test(words)

/** Matches both forms until all messages of an older version are rewritten: some of their letters are joined. */
const apartOrTogether = (needle: string): string => `(${quoted(needle)} OR ${exactly(needle)} *)`

/** A search for parts of words. */
export interface PartsMatch {
  /** The query for the index. */
  readonly match: string
  /** Texts to mark in excerpts; words that signs join are one text. */
  readonly needles: readonly string[]
}

/**
 * Finds messages that contain the typed words as parts of words, in addition to those that `wordsMatch` finds; null if
 * no longer word contains one. Signs within a typed word join its terms into a phrase: the first term may then be the
 * end of a longer word, and the last the beginning of one. Quoted phrases are exact. If there are very many longer
 * words, only the most frequent and the newest are searched (`termsWithin`).
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
      isOpen && terms.length === 1
        ? beginning(db, first)
        : terms.map(quoted).join(' + ') + (isOpen ? ' *' : '')
    if (longer.length === 0) return itself
    hasParts = true
    // A lone word was already found by itself; beside others, the longer words include those that begin with it.
    const ways = isAlone ? longer : [terms.length > 1 ? itself : quoted(first), ...longer]
    return `(${ways.join(' OR ')})`
  })
  if (!hasParts) return null
  const needles = typed.map(
    ({ text, phrase }) => phrase ?? text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
  )
  return { match: match.join(' AND '), needles }
}

/** The quoted words that contain a term. */
const longerTerms = (
  db: ReadableDb,
  [term = '']: readonly string[],
  hasBeginnings: boolean,
  most: number,
): string[] => termsWithin(db, term, hasBeginnings ? 'inside' : 'anywhere', most).map(quoted)

/** The phrases that extend both ends of adjacent words to longer words. */
function joinedWays(db: ReadableDb, terms: readonly string[], most: number): string[] {
  const [first = '', ...rest] = terms
  const last = rest.pop() ?? ''
  // Each prefix makes the index read all words with it, once per phrase.
  const isShort = [...last].length < shortestPart
  const side = Math.min(mostAtEachEnd, Math.floor(Math.sqrt(most)))
  const starts = termsWithin(db, first, 'end', isShort ? mostBeginnings : side)
  const ends = isShort ? [`${quoted(last)} *`] : [last, ...termsWithin(db, last, 'start', side)].map(quoted)
  return starts.flatMap((start) => ends.map((end) => [...[start, ...rest].map(quoted), end].join(' + ')))
}
