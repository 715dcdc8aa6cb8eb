/**
 * What people and the organization have besides conversations. Times are UNIX seconds unless a name says otherwise.
 */
export const belongings = `
  CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);
`
