/** Invitations that go to one address; those that were there before are links for anybody. */
export const invitationsByMail = `
  ALTER TABLE invitations ADD COLUMN email TEXT;
  ALTER TABLE invitations ADD COLUMN tells_inviter INTEGER NOT NULL DEFAULT 0;
`
