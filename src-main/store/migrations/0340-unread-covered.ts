import type { Migration } from './index.ts'

/**
 * The counts of a conversation come from this index alone. Who reads a topic with thousands of unread messages marks a
 * few at a time, and each time the others are counted.
 */
export const unreadCovered: Migration = {
  number: 340,
  up: (run) =>
    run(`
      DROP INDEX unread_by_conversation;
      CREATE INDEX unread_by_conversation ON unread (conversation_id, message_id, is_mentioned);
    `),
}
