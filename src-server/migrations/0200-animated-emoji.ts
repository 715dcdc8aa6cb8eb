/** Which emoji move; of those that were there before nobody knows, and they are shown as they are. */
export const animatedEmoji = `
  ALTER TABLE realm_emoji ADD COLUMN is_animated INTEGER NOT NULL DEFAULT 0;
`
