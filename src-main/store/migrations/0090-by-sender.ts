import type { Migration } from './index.ts'

/** An index that finds a person's messages without reading all. */
export const bySender: Migration = {
  number: 90,
  up: (run) => {
    run('CREATE INDEX messages_by_sender ON messages (sender_id, message_id);')
  },
}
