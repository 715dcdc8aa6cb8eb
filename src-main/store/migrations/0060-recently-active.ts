import type { Migration } from './index.ts'

/** Whether anybody wrote in a channel recently, as the server counts it; 1 until the server says so. */
export const recentlyActive: Migration = {
  number: 60,
  up: (run) => run('ALTER TABLE channels ADD COLUMN is_recently_active INTEGER NOT NULL DEFAULT 1'),
}
