/** Uploaded files; their bytes are in the folder of files. */
export const attachments = `
  CREATE TABLE attachments (
    attachment_id INTEGER PRIMARY KEY AUTOINCREMENT,
    storage_key TEXT NOT NULL UNIQUE,      -- what the address begins with, and where the bytes lie
    user_id INTEGER NOT NULL, name TEXT NOT NULL,
    path_name TEXT NOT NULL,               -- the name as the address has it
    size INTEGER NOT NULL, content_type TEXT NOT NULL, created_ms INTEGER NOT NULL,
    width INTEGER, height INTEGER,         -- null: no picture
    is_animated INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX attachments_by_user ON attachments (user_id, attachment_id);
  -- What all files take together; one row.
  CREATE TABLE upload_space (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO upload_space VALUES (0);
  CREATE TRIGGER attachments_added AFTER INSERT ON attachments BEGIN
    UPDATE upload_space SET bytes = bytes + NEW.size;
  END;
  CREATE TRIGGER attachments_removed AFTER DELETE ON attachments BEGIN
    UPDATE upload_space SET bytes = bytes - OLD.size;
  END;
  CREATE TABLE attachment_messages (
    attachment_id INTEGER NOT NULL REFERENCES attachments ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
    PRIMARY KEY (attachment_id, message_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attachment_messages_by_message ON attachment_messages (message_id);
`
