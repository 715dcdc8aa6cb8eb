/** Domains whose addresses may join. */
export const domains = `
  CREATE TABLE realm_domains (
    domain TEXT PRIMARY KEY,               -- lower case
    allow_subdomains INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`
