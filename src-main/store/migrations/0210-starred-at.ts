import type { Migration } from './index.ts'

/** When messages were starred, as far as this device saw it happen. */
export const starredAt: Migration = {
  number: 210,
  up: (run) => run('ALTER TABLE messages ADD COLUMN starred_at INTEGER'),
}
