import type { Migration } from './index.ts'

/** The word index's segments are merged in spare moments (store/words-upkeep.ts) and not within commits. */
export const wordsJoinedBeside: Migration = {
  number: 160,
  up: (run) => {
    run(`
      INSERT INTO message_words (message_words, rank) VALUES ('automerge', 0);
      -- So many parts of one size are joined at once, whoever waits: there are never so many.
      INSERT INTO message_words (message_words, rank) VALUES ('crisismerge', 500);
    `)
  },
}
