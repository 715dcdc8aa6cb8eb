/** What people and the organization have beside conversations. Times are UNIX seconds unless a name says otherwise. */
export const belongings = `
  CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);

  CREATE TABLE email_changes (
    token TEXT PRIMARY KEY, user_id INTEGER NOT NULL, email TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`
