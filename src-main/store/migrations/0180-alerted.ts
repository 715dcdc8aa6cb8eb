import type { Migration } from './index.ts'

/** Messages with an alert word, found as starred ones are: without a look at all the others. */
export const alerted: Migration = {
  number: 180,
  up: (run) => run('CREATE INDEX messages_alerted ON messages (message_id) WHERE has_alert_word = 1;'),
}
