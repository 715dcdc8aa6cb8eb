import type { Migration } from './index.ts'

/**
 * Which messages mention the person only by a wildcard: in what is muted they are not counted as mentions. Of those that
 * were here before it is not known, so they go on counting.
 */
export const wildcardMentions: Migration = {
  number: 350,
  up: (run) =>
    run(`
      -- Cache: messages with is_mentioned = 1 that mention the person neither by name nor by group.
      CREATE TABLE wildcard_mentions (message_id INTEGER PRIMARY KEY) STRICT;
    `),
}
