import type { WritableDb } from './database.ts'
import { listingOfTerms, Vocabulary } from './vocabulary.ts'

/** From so many messages on it is quicker to go through the index than to take up the words of each. */
const mostWaiting = 2_000
/** How many messages one step takes up. */
const messagesPerStep = 5
/** How many messages are taken up when the file is closed; the rest is for the next run. */
const mostAtClose = 200
/** How long no words are written before any are gathered: whoever fetches history is not held up. Milliseconds. */
const quietMs = 300
/** How long the words of a few messages wait at most while others come, milliseconds. */
const longestWaitMs = 3_000

/** A transaction of its own on the same connection. */
export type Within = (work: () => void) => void

/**
 * Knows which words are still to be gathered into the vocabulary. Those of new messages are taken up one by one; after
 * many at once, in a file of an older version, and after a run that did not end in order, the index of words is gone
 * through from its beginning. What has been done is in the file.
 */
export class Gathering {
  readonly #db: WritableDb
  readonly #within: Within
  readonly #vocabulary: Vocabulary
  /** Messages whose words are to be taken up. */
  #waiting: number[] = []
  #waitingSince = 0
  #writtenAt = -Infinity
  /** Where going through the index has come to; null when that is done. */
  #from: string | null
  /** Whether words came that only going through it once more will find. */
  #isStale = false
  /** What the file says of it. */
  #noted: { readonly from: string | null; readonly isStale: boolean } | null

  /** Throws when the file has no vocabulary. */
  constructor(db: WritableDb, within: Within) {
    this.#db = db
    this.#within = within
    db.run(listingOfTerms)
    this.#vocabulary = new Vocabulary(db)
    const progress = db.get<{ gathered_to: string | null; is_stale: number }>(
      'SELECT gathered_to, is_stale FROM vocabulary_progress',
    )
    this.#noted =
      progress === undefined ? null : { from: progress.gathered_to, isStale: progress.is_stale === 1 }
    this.#from = this.#noted?.isStale === false ? this.#noted.from : ''
  }

  /** The words of a message were written into the index. */
  written(messageId: number): void {
    this.#writtenAt = performance.now()
    if (this.#waiting.length === 0) this.#waitingSince = this.#writtenAt
    this.#waiting.push(messageId)
    if (this.#waiting.length <= mostWaiting) return
    this.#waiting = []
    if (this.#from === null) this.#from = ''
    else this.#isStale = this.#from !== ''
  }

  /** At the end of a transaction: if it wrote words, the file says that some may be missing until `close`. */
  begin(): void {
    if (this.#writtenAt > -Infinity && this.#noted?.isStale !== true) this.#note('', true)
  }

  /** The transaction was undone. */
  undone(): void {
    this.#noted = null
  }

  /** Whether there is something to gather, now or a little later. */
  get isPending(): boolean {
    return this.#waiting.length > 0 || this.#from !== null
  }

  /** Gathers a little, if it is time to; whether it did. Throws when the disk refuses. */
  step(): boolean {
    const now = performance.now()
    const isQuiet = now - this.#writtenAt >= quietMs
    if (!isQuiet && (this.#waiting.length === 0 || now - this.#waitingSince < longestWaitMs)) return false
    return this.gather()
  }

  /** As `step`, at any time. */
  gather(): boolean {
    if (this.#waiting.length > 0) {
      const ids = this.#waiting.slice(0, messagesPerStep)
      this.#within(() => this.#vocabulary.learn(ids))
      this.#waiting = this.#waiting.slice(ids.length)
      return true
    }
    const from = this.#from
    if (from === null) return false
    this.#within(() => (this.#from = this.#vocabulary.gather(from)))
    if (this.#from === null && this.#isStale) {
      this.#from = ''
      this.#isStale = false
    }
    return true
  }

  /** Takes up the last few messages and has the file say how far all is. Throws when the disk refuses. */
  close(): void {
    if (this.#waiting.length <= mostAtClose) while (this.#waiting.length > 0) this.gather()
    const isStale = this.#isStale || this.#waiting.length > 0
    const from = isStale ? '' : this.#from
    if (this.#noted?.from !== from || this.#noted.isStale !== isStale) this.#note(from, isStale)
  }

  #note(from: string | null, isStale: boolean): void {
    this.#db.run('INSERT OR REPLACE INTO vocabulary_progress (id, gathered_to, is_stale) VALUES (1, ?, ?)', [
      from,
      isStale ? 1 : 0,
    ])
  }
}
