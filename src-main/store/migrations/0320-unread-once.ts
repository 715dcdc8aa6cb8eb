import type { Migration } from './index.ts'

/**
 * Only the rows of `unread` say what is unread: marking thousands of messages as read no longer writes each of them.
 * Removing the column writes the table once.
 */
export const unreadOnce: Migration = {
  number: 320,
  up: (run) => run('ALTER TABLE messages DROP COLUMN is_read'),
}
