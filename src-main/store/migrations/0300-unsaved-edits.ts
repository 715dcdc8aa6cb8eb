import type { Migration } from './index.ts'

/** The edits that a person has begun and not saved: until then, this device alone has their words. */
export const unsavedEdits: Migration = {
  number: 300,
  up: (run) => {
    run(`
      -- Own: see unsaved-edits.ts.
      CREATE TABLE unsaved_edits (
        edited TEXT PRIMARY KEY,             -- what is edited: a kind and an id, such as "message 12"
        content TEXT NOT NULL,
        previous TEXT,                       -- the text that the edit is based on; null: unknown
        own TEXT,                            -- merged texts only: the person's own text
        mark TEXT,                           -- what else identifies the edited thing; null: nothing
        edited_at INTEGER NOT NULL
      ) STRICT;
    `)
  },
}
