import type { Migration } from './index.ts'

/**
 * Only the rows of `unread` say what is unread: marking thousands of messages as read no longer writes each of them. The
 * column stays, always 0, which takes no room: to remove it, SQLite would write every message anew, with as much free
 * space as they take, while the account is closed.
 */
export const unreadOnce: Migration = {
  number: 320,
  up: (run) => run('ALTER TABLE messages RENAME COLUMN is_read TO unused_is_read'),
}
