import type { Migration } from './index.ts'

/** The server's time when it was last heard, epoch milliseconds; null if it is not known. */
export const serverHeard: Migration = {
  number: 290,
  up: (run) => run('ALTER TABLE sync ADD COLUMN server_heard_at INTEGER'),
}
