import { topicKey } from './messages.ts'
import type { Workspace } from './workspace.ts'

/** Keeps what a person wants to see of a topic; policy 0 forgets it. Tells nobody. */
export function setTopicPolicy(
  workspace: Workspace,
  userId: number,
  channelId: number,
  topic: string,
  policy: number,
): void {
  if (policy === 0) {
    workspace.db.run(
      'DELETE FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
      userId,
      channelId,
      topicKey(topic),
    )
  } else {
    workspace.db.run(
      'INSERT OR REPLACE INTO user_topics VALUES (?, ?, ?, ?, ?, ?)',
      userId,
      channelId,
      topicKey(topic),
      topic,
      policy,
      workspace.now(),
    )
  }
}
