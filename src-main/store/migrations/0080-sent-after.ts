import type { Migration } from './index.ts'

/** The newest known message at the first send, to tell the sent message from others with the same words. */
export const sentAfter: Migration = {
  number: 80,
  up: (run) => {
    run(`
      ALTER TABLE outbox ADD COLUMN sent_after INTEGER; -- the newest message known at sent_at
      ALTER TABLE outbox ADD COLUMN sent_queue TEXT;    -- the queue that will bring the echo
    `)
  },
}
