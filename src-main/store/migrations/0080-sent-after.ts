import type { Migration } from './index.ts'

/** What was known when a message was first sent, so that it can be told from others with the same words. */
export const sentAfter: Migration = {
  number: 80,
  up: (run) => {
    run(`
      ALTER TABLE outbox ADD COLUMN sent_after INTEGER; -- the newest message known at sent_at
      ALTER TABLE outbox ADD COLUMN sent_queue TEXT;    -- the queue that will bring the echo
    `)
  },
}
