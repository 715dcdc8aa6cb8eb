import type { Migration } from './index.ts'

/** When stars were put on, as far as this device saw it. */
export const starredAt: Migration = {
  number: 210,
  up: (run) => run('ALTER TABLE messages ADD COLUMN starred_at INTEGER'),
}
