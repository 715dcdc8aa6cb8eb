import type { Migration } from './index.ts'

/** Indexes that are enough to sum unread messages, however many conversations have some. */
export const unreadSums: Migration = {
  number: 40,
  up: (run) => {
    run(`
      CREATE INDEX conversations_unread_topics ON conversations (channel_id, unread_count, mention_count)
        WHERE unread_count > 0 AND kind = 'topic';
      CREATE INDEX conversations_unread_directs ON conversations (unread_count, mention_count)
        WHERE unread_count > 0 AND kind = 'direct';
    `)
  },
}
