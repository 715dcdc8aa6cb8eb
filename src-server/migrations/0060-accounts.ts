/** Properties of accounts: how they are reached, and their status. Times are UNIX seconds. */
export const accounts = `
  CREATE TABLE email_changes (
    token TEXT PRIMARY KEY, user_id INTEGER NOT NULL, email TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE users ADD COLUMN presence_update_id INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX users_by_presence ON users (presence_update_id);
  CREATE TABLE user_status (
    user_id INTEGER PRIMARY KEY, status_text TEXT NOT NULL, emoji_name TEXT NOT NULL, emoji_code TEXT NOT NULL,
    reaction_type TEXT NOT NULL
  ) STRICT;

  CREATE TABLE push_devices (
    user_id INTEGER NOT NULL, token TEXT NOT NULL, kind TEXT NOT NULL, app_id TEXT NOT NULL,
    PRIMARY KEY (user_id, kind, token)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE alert_words (
    alert_word_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, word TEXT NOT NULL,
    word_key TEXT NOT NULL,                -- lower case
    UNIQUE (user_id, word_key)
  ) STRICT;

  CREATE TABLE realm_emoji (
    emoji_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, author_id INTEGER NOT NULL,
    file_name TEXT NOT NULL, content_type TEXT NOT NULL, is_deactivated INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX realm_emoji_by_name ON realm_emoji (name) WHERE is_deactivated = 0;
`
