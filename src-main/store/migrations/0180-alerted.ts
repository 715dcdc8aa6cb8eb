import type { Migration } from './index.ts'

/** An index that finds messages with an alert word as starred ones are found: without reading the others. */
export const alerted: Migration = {
  number: 180,
  up: (run) => run('CREATE INDEX messages_alerted ON messages (message_id) WHERE has_alert_word = 1;'),
}
