/** Indexes for queries that scanned tables before. */
export const indexes = `
  CREATE INDEX direct_group_members_by_group ON direct_group_members (group_id);
  CREATE INDEX user_topics_by_topic ON user_topics (channel_id, topic_key);
`
