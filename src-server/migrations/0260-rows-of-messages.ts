/**
 * Foreign keys from rows to their message are checked at the commit, not at each row. SQLite then needs no copies of
 * the pages that a multi-row statement changes, which cost as much as writing them.
 */
export const rowsOfMessages = `
  CREATE TABLE own_messages (
    user_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    is_read INTEGER NOT NULL, is_starred INTEGER NOT NULL DEFAULT 0, is_collapsed INTEGER NOT NULL DEFAULT 0,
    mention TEXT NOT NULL DEFAULT '',      -- flags beside those, separated by spaces
    is_historical INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, message_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO own_messages
    SELECT user_id, message_id, is_read, is_starred, is_collapsed, mention, is_historical
    FROM user_messages ORDER BY user_id, message_id;
  DROP TABLE user_messages;
  ALTER TABLE own_messages RENAME TO user_messages;
  CREATE INDEX user_messages_by_message ON user_messages (message_id);
  CREATE INDEX user_messages_unread ON user_messages (user_id, message_id) WHERE is_read = 0;
  CREATE INDEX user_messages_starred ON user_messages (user_id, message_id) WHERE is_starred = 1;
  CREATE INDEX user_messages_mentioned ON user_messages (user_id, message_id) WHERE mention <> '';
`
