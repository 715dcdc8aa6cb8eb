import type { Migration } from './index.ts'

/** All direct messages are one feed. */
export const directs: Migration = {
  number: 140,
  up: (run) => {
    run('CREATE INDEX messages_direct ON messages (message_id) WHERE channel_id IS NULL;')
  },
}
