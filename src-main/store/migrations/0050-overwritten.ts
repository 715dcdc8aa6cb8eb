import type { Migration } from './index.ts'

/** What the server has while two versions of a draft are in conflict: the other device's, or ours on top of it. */
export const overwritten: Migration = {
  number: 50,
  up: (run) => {
    run(`
      ALTER TABLE drafts ADD COLUMN server_recipient TEXT; -- conflict only: what the server had last
      ALTER TABLE drafts ADD COLUMN server_content TEXT;
      UPDATE drafts SET server_recipient = remote_recipient, server_content = remote_content;
    `)
  },
}
