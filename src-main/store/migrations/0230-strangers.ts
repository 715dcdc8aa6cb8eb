import type { Migration } from './index.ts'

/** How often the same unknown thing arrived: one row for all of its occurrences. */
export const strangers: Migration = {
  number: 230,
  up: (run) => run('ALTER TABLE set_aside ADD COLUMN times INTEGER NOT NULL DEFAULT 1'),
}
