import type { Migration } from './index.ts'

/** Who created a folder; null if unknown. */
export const folderCreators: Migration = {
  number: 260,
  up: (run) => run('ALTER TABLE channel_folders ADD COLUMN creator_id INTEGER'),
}
