/** The id of a deleted snippet is not given to another one: a request for the old one that comes late misses it. */
export const snippetIds = `
  CREATE TABLE numbered_snippets (
    snippet_id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
    date_created INTEGER NOT NULL
  ) STRICT;
  INSERT INTO numbered_snippets SELECT snippet_id, user_id, title, content, date_created FROM saved_snippets;
  DROP TABLE saved_snippets;
  ALTER TABLE numbered_snippets RENAME TO saved_snippets;
  CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);
`
