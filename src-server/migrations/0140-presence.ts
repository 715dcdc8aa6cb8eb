/** Presence, apart from the people: it changes every minute, and people hardly ever do. */
export const presence = `
  CREATE TABLE presence (
    user_id INTEGER PRIMARY KEY REFERENCES users, active_at INTEGER NOT NULL, idle_at INTEGER NOT NULL,
    update_id INTEGER NOT NULL             -- grows with every change of anybody's
  ) STRICT;
  CREATE INDEX presence_by_update ON presence (update_id);
  INSERT INTO presence SELECT user_id, active_at, idle_at, presence_update_id FROM users WHERE active_at > 0 OR idle_at > 0;
  DROP INDEX users_by_presence;
  ALTER TABLE users DROP COLUMN presence_update_id;
  ALTER TABLE users DROP COLUMN active_at;
  ALTER TABLE users DROP COLUMN idle_at;
`
