import type { ReadableDb } from './database.ts'

/** The listing of every word in the word index; exists only in this connection. */
export const listingOfBeginnings = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.listed_terms
  USING fts5vocab ('main', 'message_words', 'instance')`

/** The longest beginning, in letters, whose messages the index lists ready to use (`prefix` of message_words). */
const longestIndexed = 3
/** How often the listing is read for one beginning at most; each time takes some 25 microseconds. */
const mostSteps = 40
/** Comes after every letter in the order of the index. */
const afterAll = '\u{10ffff}'

/** Words of the index that begin with a text; `beginnings` stand for those that are not listed one by one. */
export interface Beginnings {
  readonly words: readonly string[]
  readonly beginnings: readonly string[]
}

/**
 * The words that begin with a text, which is in the form of `termsOf`. For a beginning that it has not indexed, FTS5
 * collects the messages of all its words before it returns the newest, a twentieth of a second in a million messages
 * if one of the words is frequent. It reads whole words side by side, newest first, so as many of them as possible are
 * named; the rest is left to longer beginnings, of fewer messages each.
 */
export function beginningsOf(db: ReadableDb, text: string): Beginnings {
  const words: string[] = []
  const open = [text]
  let steps = 0
  for (let at = 0; at < open.length && steps < mostSteps; at++) {
    const beginning = open[at] ?? ''
    const { length } = [...beginning]
    if (length > 1 && length <= longestIndexed) continue
    open[at] = ''
    for (let from = beginning; ; steps++) {
      const [term] = db.column<string>('SELECT term FROM listed_terms WHERE term >= ? LIMIT 1', [from])
      if (term?.startsWith(beginning) !== true) break
      if (term === beginning) {
        words.push(term)
        from = `${term}\0`
      } else {
        const [next = ''] = term.slice(beginning.length)
        open.push(beginning + next)
        from = beginning + next + afterAll
      }
    }
  }
  return { words, beginnings: open.filter((one) => one !== '') }
}
