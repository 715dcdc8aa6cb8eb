import type { Migration } from './index.ts'

/** The edits and moves of messages, which until now were kept only of messages whose history somebody had looked at. */
export const messageChanges: Migration = {
  number: 310,
  up: (run) => {
    run(`
      CREATE TABLE message_changes (
        message_id INTEGER PRIMARY KEY,
        changes TEXT NOT NULL,               -- JSON, oldest first: see message-changes.ts
        has_earlier INTEGER NOT NULL         -- there were changes before these
      ) STRICT;
      DELETE FROM objects WHERE kind = 'message-history';
    `)
  },
}
