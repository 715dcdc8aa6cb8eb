import type { Migration } from './index.ts'

/** Supports the feed of all direct messages. */
export const directs: Migration = {
  number: 140,
  up: (run) => {
    run('CREATE INDEX messages_direct ON messages (message_id) WHERE channel_id IS NULL;')
  },
}
