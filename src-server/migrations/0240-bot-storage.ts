/** The storage of bots. */
export const botStorage = `
  CREATE TABLE bot_storage (
    user_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, name)
  ) STRICT, WITHOUT ROWID;
`
