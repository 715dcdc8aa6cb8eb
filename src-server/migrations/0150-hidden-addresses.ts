/** Who may see an address could be chosen before it was kept: those who chose get the API email that goes with it. */
export const hiddenAddresses = `
  UPDATE users SET email = 'user' || user_id || '@hidden.invalid'
  WHERE bot_type IS NULL AND user_id IN (
    SELECT user_id FROM user_settings WHERE name = 'email_address_visibility' AND value <> '1'
  );
`
