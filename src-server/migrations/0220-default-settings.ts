/** What new accounts start with, where the organization says something else than the service; values are JSON. */
export const defaultSettings = `
  CREATE TABLE default_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
