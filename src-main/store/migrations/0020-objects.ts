import type { Migration } from './index.ts'

/** Small lists of an organization or account that screens read whole: groups, snippets, linkifiers and the like. */
export const objects: Migration = {
  number: 20,
  up: (run) => {
    run(`
      -- Cache: small lists as the server gave them, by kind (store/objects.ts names them); JSON.
      CREATE TABLE objects (
        kind TEXT NOT NULL,
        object_id TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (kind, object_id)
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
