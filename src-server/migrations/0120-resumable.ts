/** Resumable uploads; the bytes so far are in the folder of files. */
export const resumable = `
  CREATE TABLE resumable_uploads (
    upload_id TEXT PRIMARY KEY, user_id INTEGER NOT NULL, name TEXT NOT NULL, claimed_type TEXT NOT NULL,
    size INTEGER NOT NULL, created_ms INTEGER NOT NULL,
    attachment_id INTEGER                  -- null: not whole yet
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX resumable_uploads_by_age ON resumable_uploads (created_ms);
`
