/** Profile fields and their values. */
export const profiles = `
  ALTER TABLE users ADD COLUMN avatar_file TEXT;                         -- null: a drawn one
  ALTER TABLE users ADD COLUMN avatar_type TEXT;
  ALTER TABLE users ADD COLUMN profile_data TEXT NOT NULL DEFAULT '{}';  -- JSON by field id, as the API shows it

  CREATE UNIQUE INDEX realm_emoji_by_file ON realm_emoji (file_name);

  CREATE TABLE profile_fields (
    field_id INTEGER PRIMARY KEY AUTOINCREMENT, field_type INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    hint TEXT NOT NULL, field_data TEXT NOT NULL, position INTEGER NOT NULL,
    is_in_summary INTEGER NOT NULL, is_required INTEGER NOT NULL, is_editable INTEGER NOT NULL
  ) STRICT;
`
