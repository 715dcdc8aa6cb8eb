import type { Migration } from './index.ts'

/** An index that finds the newest conversations without sorting all. */
export const byNewest: Migration = {
  number: 70,
  up: (run) => {
    run(
      'CREATE INDEX conversations_by_newest ON conversations (newest_message_id) WHERE newest_message_id > 0;',
    )
  },
}
