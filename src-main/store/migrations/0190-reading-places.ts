import type { Migration } from './index.ts'

/** Where the reader left each feed, so that it opens there again. */
export const readingPlaces: Migration = {
  number: 190,
  up: (run) => {
    run(`
      CREATE TABLE reading_places (
        narrow_key TEXT PRIMARY KEY,
        message_id INTEGER NOT NULL,
        top INTEGER NOT NULL,                -- pixels below the upper edge of the feed
        kept_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
