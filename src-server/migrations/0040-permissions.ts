/** Who holds which permission, and reusable invitations. */
export const permissions = `
  -- Only what differs from the defaults (permissions/settings.ts).
  CREATE TABLE permission_values (
    kind TEXT NOT NULL,                    -- realm, channel or group
    object_id INTEGER NOT NULL,            -- 0 for the realm
    setting TEXT NOT NULL,
    value TEXT NOT NULL,                   -- JSON group-setting value
    PRIMARY KEY (kind, object_id, setting)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO permission_values SELECT 'channel', channel_id, 'can_send_message_group', can_send_group FROM channels;
  ALTER TABLE channels DROP COLUMN can_send_group;
  ALTER TABLE channels ADD COLUMN message_retention_days INTEGER;
  -- How much is written in a channel per week.
  CREATE INDEX messages_by_channel_time ON messages (channel_id, sent_at) WHERE channel_id IS NOT NULL;

  CREATE TABLE invitations (
    invitation_id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE,             -- the secret part of the link
    inviter_id INTEGER NOT NULL REFERENCES users,
    invited_at INTEGER NOT NULL,
    expires_at INTEGER,                    -- null: never
    role INTEGER NOT NULL,
    channel_ids TEXT NOT NULL,             -- JSON
    group_ids TEXT NOT NULL,               -- JSON
    includes_default_channels INTEGER NOT NULL,
    welcome_text TEXT,                     -- null: the organization's own; '': none
    is_revoked INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`
