import type { Migration } from './index.ts'

/** How often the same came that nobody here knows: one row for all of it. */
export const strangers: Migration = {
  number: 230,
  up: (run) => run('ALTER TABLE set_aside ADD COLUMN times INTEGER NOT NULL DEFAULT 1'),
}
