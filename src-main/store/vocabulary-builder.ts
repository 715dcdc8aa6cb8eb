import type { WritableDb } from './database.ts'
import { listingOfTerms, Vocabulary } from './vocabulary.ts'

/** With more waiting messages than this, scanning the index is faster than reading the words of each message. */
const mostWaiting = 2_000
/** How many messages one step handles. */
const messagesPerStep = 5
/** How many messages are handled when the file is closed; more are left to the next run. */
const mostAtClose = 200
/** How long no words must have been written before gathering starts, so that fetching history is not slowed, in ms. */
const quietMs = 300
/** How long the words of a few messages wait at most while others arrive, in ms. */
const longestWaitMs = 3_000

/** A transaction of its own on the same connection. */
export type RunInTransaction = (work: () => void) => void

/**
 * Tracks which words still have to be gathered into the vocabulary. The words of new messages are read message by
 * message. The word index is scanned from its beginning instead after many messages at once, in a file of an older
 * version, and after a run that did not end properly. The file records the progress.
 */
export class VocabularyBuilder {
  readonly #db: WritableDb
  readonly #within: RunInTransaction
  readonly #vocabulary: Vocabulary
  /** Messages whose words have to be read. */
  #waiting: number[] = []
  #waitingSince = 0
  #writtenAt = -Infinity
  /** The progress of the scan of the index; null if it is complete. */
  #from: string | null
  /** Whether words were added that only another scan will find. */
  #isStale = false
  /** The progress as the file records it. */
  #noted: { readonly from: string | null; readonly isStale: boolean } | null

  /** Throws if the file has no vocabulary. */
  constructor(db: WritableDb, within: RunInTransaction) {
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

  /** Must be called after the words of a message were written into the index. */
  written(messageId: number): void {
    this.#writtenAt = performance.now()
    if (this.#waiting.length === 0) this.#waitingSince = this.#writtenAt
    this.#waiting.push(messageId)
    if (this.#waiting.length <= mostWaiting) return
    this.#waiting = []
    if (this.#from === null) this.#from = ''
    else this.#isStale = this.#from !== ''
  }

  /** Called at the end of a transaction: if it wrote words, the file records that some may be missing until `close`. */
  begin(): void {
    if (this.#writtenAt > -Infinity && this.#noted?.isStale !== true) this.#note('', true)
  }

  /** Called after a rollback. */
  undone(): void {
    this.#noted = null
  }

  /** Whether there is something to gather, now or a little later. */
  get isPending(): boolean {
    return this.#waiting.length > 0 || this.#from !== null
  }

  /** Gathers a little if it is time to; returns whether it did. Throws if the disk refuses. */
  step(): boolean {
    const now = performance.now()
    const isQuiet = now - this.#writtenAt >= quietMs
    if (!isQuiet && (this.#waiting.length === 0 || now - this.#waitingSince < longestWaitMs)) return false
    return this.gather()
  }

  /** Like `step`, at any time. */
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

  /** Reads the last few messages and records the progress in the file. Throws if the disk refuses. */
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
