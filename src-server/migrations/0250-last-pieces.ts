/** Resumable uploads are discarded a day after their last chunk came, not after the first. */
export const lastPieces = `
  ALTER TABLE resumable_uploads RENAME COLUMN created_ms TO touched_ms;
  CREATE INDEX resumable_uploads_underway ON resumable_uploads (user_id, size) WHERE attachment_id IS NULL;
`
