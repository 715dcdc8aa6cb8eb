import type { ReadableDb, WritableDb } from './database.ts'
import { removeWords, writeWords } from './message-words.ts'
import { hasLoneLetters, partsOf, shortestPart, termsOf } from './terms.ts'
import { wordsFromHtml } from './words.ts'

/** Longer words are rather files or keys; they are found by their beginnings. */
const longestTerm = 64
/** A word needs a letter before the shortest part that can be looked for. */
const shortestTerm = shortestPart + 1
/** How many words one step of gathering looks at, and how long it should take, milliseconds. */
const termsPerStep = 100
const stepMs = 1
/** How many messages one step writes into the index anew. */
const respelledPerStep = 20
/** Frequencies are told apart by powers of two: those from 2^15 messages on count as one. */
const rarest = 15
/** Of words of new messages nobody knows yet how many will have them. */
const newlyLearnt = rarest + 1
const idsOfOneRarity = 2 ** 26
/** How many words that have the parts are looked at for the whole, from either end. */
const mostLooked = 4_000

/** How often a word is used, from 0 (most) to 15 (in one message). */
const rarityOf = (messages: number): number =>
  rarest - Math.min(rarest, Math.floor(Math.log2(Math.max(1, messages))))

/** Where the words of an index are listed; for this connection alone. */
export const listingOfTerms = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.indexed_terms
  USING fts5vocab ('main', 'message_words', 'col')`

/** Gathers the words of messages, so that a part of one finds it (see `termsWithin`). */
export class Vocabulary {
  readonly #db: WritableDb
  /** The newest id of each rarity. */
  readonly #lastIds: number[] = []
  /** How many words the next step looks at: to count the messages of frequent ones takes long. */
  #termsInStep = termsPerStep

  /** `db` has the listing above. */
  constructor(db: WritableDb) {
    this.#db = db
  }

  /**
   * Goes on through the index of words from a word; answers which one to go on from, null at the end. A word of an
   * older version, in which letters that stand alone are together, has its messages written into the index anew.
   */
  gather(from: string): string | null {
    const start = performance.now()
    const most = this.#termsInStep
    // Those of the other column are many in a row, so that whoever asks for one column waits for all of them.
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
    // In the order of their ids, as the table of their parts wants them.
    for (const { term, rarity } of terms.sort((a, b) => a.rarity - b.rarity)) this.#put(term, rarity)
    return next
  }

  /** Takes up the words of messages; those that are not here are ignored. */
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

  /** Writes some messages with a word into the index anew; false when there are no more of them. */
  #respell(term: string): boolean {
    const rows = this.#db.all<{ id: number }>(
      'SELECT rowid AS id FROM message_words WHERE message_words MATCH ? LIMIT ?',
      [`words : "${term.replaceAll('"', '""')}"`, respelledPerStep],
    )
    for (const { id } of rows) if (!writeWords(this.#db, id)) removeWords(this.#db, id)
    return rows.length === respelledPerStep
  }
}

const isGathered = (term: string): boolean =>
  term.length >= shortestTerm && term.length <= longestTerm && !hasLoneLetters(term)

/** Where a word has a part: behind its beginning, anywhere, at its start or at its end. */
export type PartPlace = 'inside' | 'anywhere' | 'start' | 'end'

const conditions: Readonly<Record<PartPlace, string>> = {
  inside: 'instr(v.term, ?2) > 1',
  anywhere: 'v.term <> ?2 AND instr(v.term, ?2) > 0',
  start: 'v.term <> ?2 AND instr(v.term, ?2) = 1',
  end: 'length(v.term) > length(?2) AND substr(v.term, -length(?2)) = ?2',
}

/**
 * Words with a part, beside the part itself: the most frequent ones and, if there are more than `limit`, the ones
 * gathered last. None for a part of fewer than three letters. `part` is as `termsOf` makes it. Some of the words may
 * have gone from all messages.
 */
export function termsWithin(db: ReadableDb, part: string, place: PartPlace, limit: number): string[] {
  const parts = partsOf(part)
  if (parts.length === 0 || part.length > longestTerm) return []
  const match = parts.map((one) => `"${one}"`).join(' AND ')
  const found = (order: string, most: number) =>
    db
      .all<{ term: string }>(
        `SELECT v.term FROM
           (SELECT rowid AS id FROM vocabulary_parts WHERE vocabulary_parts MATCH ?1 ORDER BY rowid ${order} LIMIT ?3) had
         CROSS JOIN vocabulary v ON v.term_id = had.id WHERE ${conditions[place]} LIMIT ?4`,
        { 1: match, 2: part, 3: mostLooked, 4: most },
      )
      .map(({ term }) => term)
  const frequent = found('ASC', Math.ceil(limit * 0.75))
  if (frequent.length < Math.ceil(limit * 0.75)) return frequent
  return [...new Set([...frequent, ...found('DESC', Math.floor(limit / 4))])]
}
