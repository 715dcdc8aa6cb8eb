/**
 * People could choose who sees their address before the choice had an effect: those who chose get the matching API
 * email.
 */
export const hiddenAddresses = `
  UPDATE users SET email = 'user' || user_id || '@hidden.invalid'
  WHERE bot_type IS NULL AND user_id IN (
    SELECT user_id FROM user_settings WHERE name = 'email_address_visibility' AND value <> '1'
  );
`
