import type { Migration } from './index.ts'

/** Messages that have to be fetched by name, and what of known history is complete again when they are here. */
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
