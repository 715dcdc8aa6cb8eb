import type { ReadableDb, WritableDb } from './database.ts'
import { removeWords, writeWords } from './message-words.ts'
import { hasLoneLetters, partsOf, shortestPart, termsOf } from './terms.ts'
import { wordsFromHtml } from './html-text.ts'

/** Longer words are mostly file names or keys; they are found only by their beginnings. */
const longestTerm = 64
/** A word needs a letter before the shortest part that can be searched. */
const shortestTerm = shortestPart + 1
/** How many words one gathering step reads at most, and how long it should take, in milliseconds. */
const termsPerStep = 100
const stepMs = 1
/** How many messages one step writes into the index anew. */
const respelledPerStep = 20
/** Rarities are powers of two: words in 2^15 messages or more count as equally frequent. */
const rarest = 15
/** For words of new messages: how many messages will have them is not known yet. */
const newlyLearnt = rarest + 1
const idsOfOneRarity = 2 ** 26
/** How many words that have the trigrams are compared with the whole part, from either end. */
const mostLooked = 4_000

/** A word's rarity, from 0 (most frequent) to 15 (in one message). */
const rarityOf = (messages: number): number =>
  rarest - Math.min(rarest, Math.floor(Math.log2(Math.max(1, messages))))

/** The listing of the words in an index; exists only in this connection. */
export const listingOfTerms = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.indexed_terms
  USING fts5vocab ('main', 'message_words', 'col')`

/** Gathers the words of messages, so that a search finds them by a part (see `termsWithin`). */
export class Vocabulary {
  readonly #db: WritableDb
  /** The newest id of each rarity. */
  readonly #lastIds: number[] = []
  /** How many words the next step reads: counting the messages of frequent words is slow. */
  #termsInStep = termsPerStep

  /** `db` has the listing above. */
  constructor(db: WritableDb) {
    this.#db = db
  }

  /**
   * Continues the scan of the word index from a word; returns the word to continue from, or null at the end. In words
   * of an older version, letters that should stand alone are joined; their messages are written into the index anew.
   */
  gather(from: string): string | null {
    const start = performance.now()
    const most = this.#termsInStep
    // Reads both columns: entries of the other one come in long runs, which a query for one column would read through.
    const rows = this.#db.all<{ term: string; col: string; doc: number }>(
      'SELECT term, col, doc FROM indexed_terms WHERE term >= ? LIMIT ?',
      [from, most],
    )
    const share = stepMs / (performance.now() - start)
    this.#termsInStep = Math.max(1, Math.min(termsPerStep, Math.floor(most * Math.min(2, share))))
    const terms: { term: string; rarity: number }[] = []
    let next: string | null = rows.length < most ? null : `${rows.at(-1)?.term ?? ''}\0`
    for (const { term, col, doc } of rows) {
      if (col !== 'words') continue
      if (isGathered(term)) {
        if (this.#idOf(term) === undefined) terms.push({ term, rarity: rarityOf(doc) })
      } else if ([...term].length > 1 && hasLoneLetters(term) && this.#respell(term)) {
        next = term
        break
      }
    }
    // In the order of their ids, as the FTS5 table of their parts prefers.
    for (const { term, rarity } of terms.sort((a, b) => a.rarity - b.rarity)) this.#put(term, rarity)
    return next
  }

  /** Adds the words of messages; those that are not here are ignored. */
  learn(ids: readonly number[]): void {
    const found = new Set<string>()
    for (const { content_html, topic } of this.#db.all<{ content_html: string; topic: string | null }>(
      `SELECT m.content_html, c.topic FROM json_each(?) wanted JOIN messages m ON m.message_id = wanted.value
       JOIN conversations c ON c.conversation_id = m.conversation_id`,
      [JSON.stringify(ids)],
    )) {
      for (const term of termsOf(`${wordsFromHtml(content_html)} ${topic ?? ''}`)) {
        if (isGathered(term)) found.add(term)
      }
    }
    for (const term of found) if (this.#idOf(term) === undefined) this.#put(term, newlyLearnt)
  }

  #idOf(term: string): number | undefined {
    return this.#db.get<{ id: number }>('SELECT term_id AS id FROM vocabulary WHERE term = ?', [term])?.id
  }

  #put(term: string, rarity: number): void {
    const id = this.#nextId(rarity)
    this.#db.run('INSERT INTO vocabulary (term_id, term) VALUES (?, ?)', [id, term])
    this.#db.run('INSERT INTO vocabulary_parts (rowid, parts) VALUES (?, ?)', [id, partsOf(term).join(' ')])
  }

  #nextId(rarity: number): number {
    const first = rarity * idsOfOneRarity
    const last =
      this.#lastIds[rarity] ??
      this.#db.get<{ id: number | null }>(
        'SELECT max(term_id) AS id FROM vocabulary WHERE term_id >= ? AND term_id < ?',
        [first, first + idsOfOneRarity],
      )?.id ??
      first
    return (this.#lastIds[rarity] = last + 1)
  }

  /** Writes some of the messages with a word into the index anew; false if there are no more of them. */
  #respell(term: string): boolean {
    const rows = this.#db.column<number>(
      'SELECT rowid AS id FROM message_words WHERE message_words MATCH ? LIMIT ?',
      [`words : "${term.replaceAll('"', '""')}"`, respelledPerStep],
    )
    for (const id of rows) if (!writeWords(this.#db, id)) removeWords(this.#db, id)
    return rows.length === respelledPerStep
  }
}

const isGathered = (term: string): boolean =>
  term.length >= shortestTerm && term.length <= longestTerm && !hasLoneLetters(term)

/** Where in a word the part is: after its beginning, anywhere, at its start or at its end. */
export type PartPlace = 'inside' | 'anywhere' | 'start' | 'end'

const conditions: Readonly<Record<PartPlace, string>> = {
  inside: 'instr(v.term, ?2) > 1',
  anywhere: 'v.term <> ?2 AND instr(v.term, ?2) > 0',
  start: 'v.term <> ?2 AND instr(v.term, ?2) = 1',
  end: 'length(v.term) > length(?2) AND substr(v.term, -length(?2)) = ?2',
}

/**
 * Words that contain a part, without the part itself: the most frequent ones and, if there are more than `limit`, the
 * ones gathered last. Empty for a part of fewer than three letters. `part` is in the form of `termsOf`. Some of the
 * words may no longer be in any message.
 */
export function termsWithin(db: ReadableDb, part: string, place: PartPlace, limit: number): string[] {
  const parts = partsOf(part)
  if (parts.length === 0 || part.length > longestTerm) return []
  const match = parts.map((one) => `"${one}"`).join(' AND ')
  const found = (order: string, most: number) =>
    db.column<string>(
      `SELECT v.term FROM
         (SELECT rowid AS id FROM vocabulary_parts WHERE vocabulary_parts MATCH ?1 ORDER BY rowid ${order} LIMIT ?3) had
       CROSS JOIN vocabulary v ON v.term_id = had.id WHERE ${conditions[place]} LIMIT ?4`,
      { 1: match, 2: part, 3: mostLooked, 4: most },
    )
  const frequent = found('ASC', Math.ceil(limit * 0.75))
  if (frequent.length < Math.ceil(limit * 0.75)) return frequent
  return [...new Set([...frequent, ...found('DESC', Math.floor(limit / 4))])]
}
