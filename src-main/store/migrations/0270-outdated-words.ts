import type { Migration } from './index.ts'

/** Messages that moved, whose rows in the word index still name the former place. */
export const outdatedWords: Migration = {
  number: 270,
  up: (run) => run('CREATE TABLE outdated_words (message_id INTEGER PRIMARY KEY) STRICT'),
}
