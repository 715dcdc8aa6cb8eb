import type { Migration } from './index.ts'

/**
 * The distinct words of messages and their trigrams, to find a part of a word. They are gathered from the word index in
 * spare moments (store/vocabulary.ts), from files of any age.
 */
export const vocabulary: Migration = {
  number: 170,
  up: (run) => {
    run(`
      -- Cache. The id says how frequent a word is: lower ones are in more messages, the highest are new.
      CREATE TABLE vocabulary (
        term_id INTEGER PRIMARY KEY,
        term TEXT NOT NULL UNIQUE
      );
      -- Cache: the sequences of three letters in each word, by its id.
      CREATE VIRTUAL TABLE vocabulary_parts USING fts5 (
        parts, content='', columnsize=0, detail='none', tokenize='ascii'
      );
      INSERT INTO vocabulary_parts (vocabulary_parts, rank) VALUES ('automerge', 0);
      INSERT INTO vocabulary_parts (vocabulary_parts, rank) VALUES ('crisismerge', 500);
      -- Cache: up to which word the index has been gone through, null when to its end; and whether words may have come
      -- since then that nobody has gathered.
      CREATE TABLE vocabulary_progress (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        gathered_to TEXT,
        is_stale INTEGER NOT NULL
      );
      INSERT INTO vocabulary_progress VALUES (1, '', 0);
    `)
  },
}
