import type { Migration } from './index.ts'

/** Pictures that were shown; their bytes are in a folder beside the file. */
export const media: Migration = {
  number: 120,
  up: (run) => {
    run(`
      CREATE TABLE media (
        address TEXT PRIMARY KEY,            -- path and query below the server's root
        content_type TEXT NOT NULL,
        size INTEGER NOT NULL,               -- bytes
        sum TEXT NOT NULL,                   -- SHA-256, hexadecimal
        fetched_at INTEGER NOT NULL,
        used_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX media_by_use ON media (used_at, size);
    `)
  },
}
