/** Counts that every registration and every message needs. */
export const counts = `
  CREATE INDEX subscriptions_active ON subscriptions (channel_id, user_id) WHERE is_active = 1;
  CREATE INDEX muted_users_by_muted ON muted_users (muted_id);
`
