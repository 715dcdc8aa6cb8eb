import type { Migration } from './index.ts'

/** The number of messages that each conversation has on this device, counted once from an index. */
export const conversationSizes: Migration = {
  number: 330,
  up: (run) =>
    run(`
      -- Cache: kept by whoever adds, moves or removes messages. Not a column of conversations, because what only lists
      -- conversations need not be read again for every page of older messages. No row: none.
      CREATE TABLE conversation_sizes (
        conversation_id INTEGER PRIMARY KEY,
        message_count INTEGER NOT NULL
      ) STRICT;
      INSERT INTO conversation_sizes SELECT conversation_id, count(*) FROM messages GROUP BY conversation_id;
    `),
}
