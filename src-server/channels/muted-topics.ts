import type { Database } from '../database.ts'
import type { MutedTopic } from '../events/event-forms.ts'

/** A person's muted topics for clients that are older than topic policies; oldest first. */
export const mutedTopicsOf = (db: Database, userId: number): MutedTopic[] =>
  db
    .all<{ name: string; topic: string; last_updated: number }>(
      `SELECT c.name, t.topic, t.last_updated FROM user_topics t JOIN channels c USING (channel_id)
       WHERE t.user_id = ? AND t.policy = 1 ORDER BY t.last_updated, c.name, t.topic`,
      userId,
    )
    .map(({ name, topic, last_updated }) => [name, topic, last_updated])
