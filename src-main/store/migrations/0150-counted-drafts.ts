import type { Migration } from './index.ts'

/** Lets a keystroke record a change of own tables on the page that it writes anyway. */
export const countedDrafts: Migration = {
  number: 150,
  up: (run) =>
    run(`
      -- The number of the change that wrote the row (store/own-tables.ts); 0: own_changes has it.
      ALTER TABLE drafts ADD COLUMN change_number INTEGER NOT NULL DEFAULT 0
    `),
}
