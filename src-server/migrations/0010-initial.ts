/** The initial schema of the service's file. Times are UNIX seconds unless a name says otherwise. */
export const initial = `
  CREATE TABLE realm (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE users (
    user_id INTEGER PRIMARY KEY,
    email TEXT NOT NULL COLLATE NOCASE UNIQUE,
    delivery_email TEXT NOT NULL COLLATE NOCASE UNIQUE,
    full_name TEXT NOT NULL,
    role INTEGER NOT NULL,
    is_active INTEGER NOT NULL DEFAULT 1,
    bot_type INTEGER,                      -- null: a person
    bot_owner_id INTEGER,
    api_key TEXT NOT NULL UNIQUE,
    password_hash TEXT,                    -- null: cannot sign in with a password
    timezone TEXT NOT NULL DEFAULT '',
    avatar_version INTEGER NOT NULL DEFAULT 1,
    date_joined INTEGER NOT NULL,
    active_at INTEGER NOT NULL DEFAULT 0,
    idle_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE user_settings (
    user_id INTEGER NOT NULL REFERENCES users, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (user_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE channel_folders (
    folder_id INTEGER PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, position INTEGER NOT NULL,
    date_created INTEGER NOT NULL, creator_id INTEGER, is_archived INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE channels (
    channel_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    description TEXT NOT NULL DEFAULT '',
    is_private INTEGER NOT NULL DEFAULT 0,
    is_web_public INTEGER NOT NULL DEFAULT 0,
    is_archived INTEGER NOT NULL DEFAULT 0,
    has_shared_history INTEGER NOT NULL DEFAULT 1,
    is_default INTEGER NOT NULL DEFAULT 0,
    topics_policy TEXT NOT NULL DEFAULT 'inherit',
    folder_id INTEGER,
    creator_id INTEGER,
    date_created INTEGER NOT NULL,
    can_send_group TEXT NOT NULL           -- JSON group-setting value
  ) STRICT;

  CREATE TABLE subscriptions (
    user_id INTEGER NOT NULL REFERENCES users,
    channel_id INTEGER NOT NULL REFERENCES channels,
    is_active INTEGER NOT NULL DEFAULT 1,
    color TEXT NOT NULL DEFAULT '#76ce90',
    is_muted INTEGER NOT NULL DEFAULT 0,
    pin_to_top INTEGER NOT NULL DEFAULT 0,
    desktop_notifications INTEGER, audible_notifications INTEGER, push_notifications INTEGER,
    email_notifications INTEGER, wildcard_mentions_notify INTEGER,
    PRIMARY KEY (user_id, channel_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subscriptions_by_channel ON subscriptions (channel_id, user_id);

  -- One row per topic audience or set of people: everything that has the same recipients.
  CREATE TABLE direct_groups (group_id INTEGER PRIMARY KEY, user_ids TEXT NOT NULL UNIQUE) STRICT;

  CREATE TABLE messages (
    message_id INTEGER PRIMARY KEY AUTOINCREMENT,
    sender_id INTEGER NOT NULL REFERENCES users,
    channel_id INTEGER,                    -- null: direct
    direct_group_id INTEGER,               -- null: in a channel
    topic TEXT NOT NULL DEFAULT '',
    topic_key TEXT NOT NULL DEFAULT '',    -- lower case
    content TEXT NOT NULL,
    rendered TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    client TEXT NOT NULL DEFAULT 'Dunlin',
    edited_at INTEGER, moved_at INTEGER,
    edit_history TEXT NOT NULL DEFAULT '[]',
    is_me_message INTEGER NOT NULL DEFAULT 0,
    has_link INTEGER NOT NULL DEFAULT 0, has_image INTEGER NOT NULL DEFAULT 0, has_attachment INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX messages_by_topic ON messages (channel_id, topic_key, message_id) WHERE channel_id IS NOT NULL;
  CREATE INDEX messages_by_channel ON messages (channel_id, message_id) WHERE channel_id IS NOT NULL;
  CREATE INDEX messages_by_group ON messages (direct_group_id, message_id) WHERE direct_group_id IS NOT NULL;
  CREATE INDEX messages_by_sender ON messages (sender_id, message_id);

  -- A person's own row for a message they received; what marks they put on it.
  CREATE TABLE user_messages (
    user_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
    is_read INTEGER NOT NULL, is_starred INTEGER NOT NULL DEFAULT 0, is_collapsed INTEGER NOT NULL DEFAULT 0,
    mention TEXT NOT NULL DEFAULT '',      -- flags beside those, separated by spaces
    is_historical INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, message_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX user_messages_by_message ON user_messages (message_id);
  CREATE INDEX user_messages_unread ON user_messages (user_id, message_id) WHERE is_read = 0;
  CREATE INDEX user_messages_starred ON user_messages (user_id, message_id) WHERE is_starred = 1;
  CREATE INDEX user_messages_mentioned ON user_messages (user_id, message_id) WHERE mention <> '';

  CREATE VIRTUAL TABLE message_words USING fts5 (words, content='', contentless_delete=1, tokenize='porter unicode61');

  CREATE TABLE reactions (
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
    user_id INTEGER NOT NULL, reaction_type TEXT NOT NULL, emoji_code TEXT NOT NULL, emoji_name TEXT NOT NULL,
    PRIMARY KEY (message_id, reaction_type, emoji_code, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE submessages (
    submessage_id INTEGER PRIMARY KEY, message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
    sender_id INTEGER NOT NULL, msg_type TEXT NOT NULL, content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX submessages_by_message ON submessages (message_id);

  CREATE TABLE drafts (
    draft_id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, type TEXT NOT NULL, recipients TEXT NOT NULL,
    topic TEXT NOT NULL, content TEXT NOT NULL, timestamp INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX drafts_by_user ON drafts (user_id, timestamp);

  CREATE TABLE user_topics (
    user_id INTEGER NOT NULL, channel_id INTEGER NOT NULL, topic_key TEXT NOT NULL, topic TEXT NOT NULL,
    policy INTEGER NOT NULL, last_updated INTEGER NOT NULL, PRIMARY KEY (user_id, channel_id, topic_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE user_groups (
    group_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT '',
    is_system INTEGER NOT NULL DEFAULT 0, is_active INTEGER NOT NULL DEFAULT 1, creator_id INTEGER,
    date_created INTEGER, members TEXT NOT NULL DEFAULT '[]', subgroups TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE TABLE saved_snippets (
    snippet_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
    date_created INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE linkifiers (
    linkifier_id INTEGER PRIMARY KEY, pattern TEXT NOT NULL, url_template TEXT NOT NULL, position INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE playgrounds (
    playground_id INTEGER PRIMARY KEY, name TEXT NOT NULL, pygments_language TEXT NOT NULL, url_template TEXT NOT NULL
  ) STRICT;
  CREATE TABLE muted_users (
    user_id INTEGER NOT NULL, muted_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, PRIMARY KEY (user_id, muted_id)
  ) STRICT, WITHOUT ROWID;
`
