/** Invitations to a single address; existing ones are links for anybody. */
export const invitationsByMail = `
  ALTER TABLE invitations ADD COLUMN email TEXT;
  ALTER TABLE invitations ADD COLUMN tells_inviter INTEGER NOT NULL DEFAULT 0;
`
