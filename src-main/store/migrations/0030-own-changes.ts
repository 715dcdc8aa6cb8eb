import type { Migration } from './index.ts'

/** The number of changes of own tables in this file, so that it can be compared with the journal beside it. */
export const ownChanges: Migration = {
  number: 30,
  up: (run) => {
    run(`
      -- Neither cache nor own: one row, written with each change of an own table (store/journal.ts).
      CREATE TABLE own_changes (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL) STRICT;
      INSERT INTO own_changes VALUES (1, 0);
    `)
  },
}
