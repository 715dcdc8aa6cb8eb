import type { Migration } from './index.ts'

/** Whether requests to the server must use the names that real servers use. */
export const dialect: Migration = {
  number: 250,
  up: (run) => run('ALTER TABLE sync ADD COLUMN speaks_dialect INTEGER NOT NULL DEFAULT 0'),
}
