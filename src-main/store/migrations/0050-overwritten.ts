import type { Migration } from './index.ts'

/** The server's content of a draft in conflict: the other device's version, or ours that overwrote it. */
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
