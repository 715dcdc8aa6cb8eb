/** Archives of the organization's data. Times are UNIX milliseconds. */
export const exports = `
  CREATE TABLE realm_exports (
    export_id INTEGER PRIMARY KEY AUTOINCREMENT,
    export_type INTEGER NOT NULL,          -- 1: public, 2: with what those who consented may read
    acting_user_id INTEGER NOT NULL,
    secret TEXT NOT NULL UNIQUE,           -- the part of the address that nobody guesses
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER, failed_ms INTEGER, deleted_ms INTEGER
  ) STRICT;
`
