import type { Migration } from './index.ts'

/** Polls and to-do lists. Messages that may be one, but were fetched without, are fetched again when they are shown. */
export const submessages: Migration = {
  number: 100,
  up: (run) => {
    run(`
      CREATE TABLE submessages (
        submessage_id INTEGER PRIMARY KEY,
        message_id INTEGER NOT NULL,
        sender_id INTEGER NOT NULL,
        content TEXT NOT NULL                -- JSON, as the server gave it
      ) STRICT;
      CREATE INDEX submessages_by_message ON submessages (message_id);
      UPDATE messages SET generation = 0 WHERE content_html LIKE '<p>/poll%' OR content_html LIKE '<p>/todo%';
    `)
  },
}
