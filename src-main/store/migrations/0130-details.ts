import type { Migration } from './index.ts'

/** Details of channels, folders and emoji that screens show on request, and which messages hold alert words. */
export const details: Migration = {
  number: 130,
  up: (run) => {
    run(`
      ALTER TABLE messages ADD COLUMN has_alert_word INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE channels ADD COLUMN push_notifications INTEGER;   -- null: as the account's setting says
      ALTER TABLE channels ADD COLUMN email_notifications INTEGER;
      ALTER TABLE channels ADD COLUMN creator_id INTEGER;           -- null: nobody is known
      ALTER TABLE channels ADD COLUMN created_at INTEGER;           -- null: unknown
      ALTER TABLE channels ADD COLUMN retention_days INTEGER;       -- null: as the organization says; -1: for ever
      ALTER TABLE channels ADD COLUMN weekly_traffic INTEGER;       -- null: unknown
      ALTER TABLE channel_folders ADD COLUMN description TEXT NOT NULL DEFAULT '';
      ALTER TABLE realm_emoji ADD COLUMN author_id INTEGER;         -- null: unknown
      UPDATE sync SET queue_id = NULL;
    `)
  },
}
