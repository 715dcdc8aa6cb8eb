/** Which emoji are animated; for existing ones this is unknown, and they are shown as they are. */
export const animatedEmoji = `
  ALTER TABLE realm_emoji ADD COLUMN is_animated INTEGER NOT NULL DEFAULT 0;
`
