/** The organization's defaults for new accounts, where they differ from the service's; values are JSON. */
export const defaultSettings = `
  CREATE TABLE default_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
