/** Scheduled messages and reminders. Times are UNIX seconds. */
export const later = `
  CREATE TABLE scheduled_messages (
    scheduled_id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL,
    channel_id INTEGER,                    -- null: direct
    user_ids TEXT,                         -- JSON, everybody and the writer; null: in a channel
    topic TEXT NOT NULL, content TEXT NOT NULL, client TEXT NOT NULL, deliver_at INTEGER NOT NULL,
    read_by_sender INTEGER NOT NULL, has_failed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX scheduled_messages_by_user ON scheduled_messages (user_id, deliver_at);
  CREATE INDEX scheduled_messages_due ON scheduled_messages (deliver_at) WHERE has_failed = 0;

  CREATE TABLE reminders (
    reminder_id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
    note TEXT NOT NULL, deliver_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX reminders_by_user ON reminders (user_id, deliver_at);
  CREATE INDEX reminders_due ON reminders (deliver_at);
  CREATE INDEX reminders_by_message ON reminders (message_id);
`
