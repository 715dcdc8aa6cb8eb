import type { Migration } from './index.ts'

/** Messages that must be fetched by id, and the parts of history that are complete again once they are here. */
export const missing: Migration = {
  number: 220,
  up: (run) => {
    run('CREATE TABLE missing_messages (message_id INTEGER PRIMARY KEY) STRICT')
    run(`CREATE TABLE holes (
        narrow_key TEXT NOT NULL,
        oldest_id INTEGER NOT NULL,
        newest_id INTEGER NOT NULL,
        reaches_beginning INTEGER NOT NULL,
        is_live INTEGER NOT NULL
      ) STRICT`)
  },
}
