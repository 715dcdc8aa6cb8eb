import type { NewEvent } from '../events/event-queues.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import { canReadChannel } from '../permissions/channels.ts'
import { userById, type ChannelRow, type Workspace } from '../workspace.ts'

/** The wire's numbers of the policies that a person may have for a topic; without one, it is as in its channel. */
export const topicPolicies = { inherited: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** Stores a person's policy for a topic; `inherited` deletes it. Publishes no event. */
export function setTopicPolicy(
  workspace: Workspace,
  userId: number,
  channelId: number,
  topic: string,
  policy: number,
): void {
  if (policy === topicPolicies.inherited) {
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

/** A topic in a channel. */
interface MovedFrom {
  readonly source: ChannelRow
  readonly topic: string
}
interface MovedTo {
  readonly target: ChannelRow
  readonly topic: string
}

/**
 * Moves people's policies along when a whole topic moves, and merges them with their policies for the destination.
 * Returns the events that tell them.
 */
export function movedPolicies(
  workspace: Workspace,
  from: MovedFrom,
  to: MovedTo,
  movedIds: readonly number[],
): { userId: number; event: NewEvent }[] {
  const { db } = workspace
  const [fromId, toId] = [from.source.channel_id, to.target.channel_id]
  const isSame = fromId === toId && topicKey(from.topic) === topicKey(to.topic)
  const isMerge =
    !isSame &&
    db.get(
      `SELECT 1 FROM messages WHERE channel_id = ? AND topic_key = ?
         AND message_id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
      toId,
      topicKey(to.topic),
      JSON.stringify(movedIds),
    ) !== undefined
  const policies = (channelId: number, topic: string) =>
    new Map(
      db
        .all<{ user_id: number; policy: number }>(
          'SELECT user_id, policy FROM user_topics WHERE channel_id = ? AND topic_key = ?',
          channelId,
          topicKey(topic),
        )
        .map((row) => [row.user_id, row.policy]),
    )
  const before = policies(fromId, from.topic)
  const there = policies(toId, to.topic)
  const told: { userId: number; event: NewEvent }[] = []
  const tell = (userId: number, channelId: number, topic: string, policy: number) => {
    setTopicPolicy(workspace, userId, channelId, topic, policy)
    const event = {
      type: 'user_topic',
      stream_id: channelId,
      topic_name: topic,
      last_updated: workspace.now(),
      visibility_policy: policy,
    }
    told.push({ userId, event })
  }
  for (const userId of new Set([...before.keys(), ...(isMerge ? there.keys() : [])])) {
    const old = before.get(userId) ?? 0
    const known = there.get(userId) ?? 0
    if (!isSame && old !== 0) tell(userId, fromId, from.topic, 0)
    const person = userById(db, userId)
    if (person === undefined || !canReadChannel(db, person, to.target)) continue
    const policy = isMerge ? joined(old, known) : old
    if (isSame || policy !== known) tell(userId, toId, to.topic, policy)
  }
  return told
}

/** A person's policy after two topics became one: following wins over unmuting, and unmuting over muting. */
function joined(one: number, other: number): number {
  if (one === other) return one
  for (const policy of [topicPolicies.followed, topicPolicies.unmuted])
    if (one === policy || other === policy) return policy
  return topicPolicies.inherited
}
