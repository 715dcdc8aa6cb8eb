import type { Migration } from './index.ts'

/** What of a draft the server did not take, and why. */
export const refusedDrafts: Migration = {
  number: 240,
  up: (run) => run('ALTER TABLE drafts ADD COLUMN refusal TEXT'),
}
