import type { Migration } from './index.ts'

/**
 * The organization's permissions and people's profiles. The server sends all of it at registration, so the account
 * registers anew.
 */
export const permissions: Migration = {
  number: 110,
  up: (run) => {
    run(`
      ALTER TABLE channels ADD COLUMN permissions TEXT NOT NULL DEFAULT '{}';  -- JSON: who may what, by the wire's names
      ALTER TABLE channels DROP COLUMN can_send_group;
      ALTER TABLE users ADD COLUMN bot_owner_id INTEGER;      -- null: no bot, or nobody's
      CREATE INDEX users_by_owner ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL;
      ALTER TABLE users ADD COLUMN joined_at INTEGER;         -- null: unknown
      ALTER TABLE users ADD COLUMN delivery_email TEXT;       -- null: hidden from this account
      ALTER TABLE users ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';  -- JSON: by the field's id
      -- Cache: the groups that the own user is in, directly, by role or through others.
      CREATE TABLE own_groups (group_id INTEGER PRIMARY KEY) STRICT;
      UPDATE sync SET queue_id = NULL;
    `)
  },
}
