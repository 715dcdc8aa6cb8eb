import type { Database } from '../database.ts'
import type { MutedTopic } from '../events/event-forms.ts'
import { canSeeChannel } from '../permissions/channels.ts'
import { userById, type ChannelRow } from '../workspace.ts'
import { topicPolicies } from './topic-policies.ts'

/** A person's muted topics in channels that they can see, for clients that are older than topic policies; oldest first. */
export function mutedTopicsOf(db: Database, userId: number): MutedTopic[] {
  const user = userById(db, userId)
  if (user === undefined) return []
  return db
    .all<ChannelRow & { topic: string; last_updated: number }>(
      `SELECT c.*, t.topic, t.last_updated FROM user_topics t JOIN channels c USING (channel_id)
       WHERE t.user_id = ? AND t.policy = ${topicPolicies.muted} ORDER BY t.last_updated, c.name, t.topic`,
      userId,
    )
    .filter((row) => canSeeChannel(db, user, row))
    .map(({ name, topic, last_updated }) => [name, topic, last_updated])
}
