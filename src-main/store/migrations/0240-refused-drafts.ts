import type { Migration } from './index.ts'

/** The draft content that the server refused, and why. */
export const refusedDrafts: Migration = {
  number: 240,
  up: (run) => run('ALTER TABLE drafts ADD COLUMN refusal TEXT'),
}
