import type { Database } from '../database.ts'
import type { NewEvent } from '../events/event-queues.ts'
import type { RenderedMessage } from '../../src-shared/markdown/render.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import type { Target } from './messages.ts'
import { groupById, mayInGroup, mayInRealm } from '../permissions.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { settingOf } from '../people/settings.ts'
import { setTopicPolicy } from '../channels/topic-policies.ts'
import { subscribersOf, userById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** Everybody may notify this many people with one mention. */
const mentionableCrowd = 15

/** The people who wrote or reacted in a topic: a mention of the topic is for them. */
export function participantsOf(db: Database, channelId: number, topic: string): ReadonlySet<number> {
  const rows = db.column<number>(
    `SELECT sender_id AS id FROM messages WHERE channel_id = :channelId AND topic_key = :topic
     UNION
     SELECT r.user_id FROM messages m JOIN reactions r USING (message_id)
       WHERE m.channel_id = :channelId AND m.topic_key = :topic`,
    { channelId, topic: topicKey(topic) },
  )
  return new Set(rows)
}

/** Refuses mentions of more people, or groups, than the person may notify; otherwise does nothing. */
export function assertMayMention(
  { db }: Workspace,
  sender: UserRow,
  channel: ChannelRow | null,
  topic: string,
  rendered: RenderedMessage,
): void {
  for (const id of rendered.mentionedGroupIds) {
    const group = groupById(db, id)
    if (group !== undefined && !mayInGroup(db, sender, group, 'can_mention_group'))
      throw badRequest(`You are not allowed to mention user group '${group.name}'.`)
  }
  if (channel === null || (!rendered.mentionsChannel && !rendered.mentionsTopic)) return
  if (mayInRealm(db, sender, 'can_mention_many_users_group')) return
  if (rendered.mentionsChannel && subscribersOf(db, channel.channel_id).length > mentionableCrowd) {
    throw new ServiceError(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to mention everybody in this channel.',
    )
  }
  if (!rendered.mentionsTopic) return
  if (participantsOf(db, channel.channel_id, topic).size > mentionableCrowd) {
    throw new ServiceError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to mention everybody in this topic.',
    )
  }
}

/** Refuses a direct message that the organization does not allow between these people; otherwise does nothing. */
export function assertMayWriteTo({ db }: Workspace, sender: UserRow, userIds: readonly number[]): void {
  const people = userIds.flatMap((id) => userById(db, id) ?? [])
  const others = people.filter((one) => one.user_id !== sender.user_id)
  if (others.every((one) => one.bot_type !== null)) return
  if (!people.some((one) => mayInRealm(db, one, 'direct_message_permission_group'))) {
    const isOff = others.every((one) => !mayInRealm(db, one, 'direct_message_permission_group'))
    throw badRequest(
      isOff
        ? 'Direct messages are disabled in this organization.'
        : 'This conversation does not include any users who can authorize it.',
    )
  }
  if (mayInRealm(db, sender, 'direct_message_initiator_group')) return
  const key = JSON.stringify([...userIds].sort((a, b) => a - b))
  const begun = db.get(
    `SELECT 1 FROM messages m JOIN direct_groups g ON g.group_id = m.direct_group_id WHERE g.user_ids = ? LIMIT 1`,
    key,
  )
  if (begun === undefined)
    throw badRequest('You do not have permission to initiate direct message conversations.')
}

/**
 * When topics are followed or unmuted automatically: 1 on participating, 2 on sending, 3 on starting one, 4 never.
 */
const wantsTopic = (policy: unknown, isFirst: boolean) =>
  policy === 1 || policy === 2 || (policy === 3 && isFirst)

/** A person's policy for a topic from now on, because of a message in it. */
export interface ChosenPolicy {
  readonly userId: number
  readonly policy: 2 | 3
  readonly event: NewEvent
}

/**
 * Makes the sender, and the people whom a message mentions, follow or unmute its topic if they chose so. A decision
 * that a person has made about the topic stays. Writes the policies, and returns who has to be told.
 */
export function followAutomatically(
  workspace: Workspace,
  sender: UserRow,
  target: Target,
  rendered: RenderedMessage,
  messageId: number,
): ChosenPolicy[] {
  if (target.kind === 'direct') return []
  const told: ChosenPolicy[] = []
  const { db } = workspace
  const { channel, topic } = target
  const decided = (userId: number) =>
    db.get<{ policy: number }>(
      'SELECT policy FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
      userId,
      channel.channel_id,
      topicKey(topic),
    )?.policy
  const decide = (userId: number, policy: 2 | 3) => {
    setTopicPolicy(workspace, userId, channel.channel_id, topic, policy)
    const event = {
      type: 'user_topic',
      stream_id: channel.channel_id,
      topic_name: topic,
      last_updated: workspace.now(),
      visibility_policy: policy,
    }
    told.push({ userId, policy, event })
  }
  const subscribers = new Set(
    rendered.mentionedUserIds.length === 0 ? [] : subscribersOf(db, channel.channel_id),
  )
  for (const userId of rendered.mentionedUserIds) {
    if (userId === sender.user_id || !subscribers.has(userId) || decided(userId) !== undefined) continue
    if (settingOf(db, userId, 'automatically_follow_topics_where_mentioned') === true) decide(userId, 3)
  }
  if (sender.bot_type !== null) return told
  const before = decided(sender.user_id)
  if (before === 1 || before === 3) return told
  const isFirst =
    db.get(
      'SELECT 1 FROM messages WHERE channel_id = ? AND topic_key = ? AND message_id < ? LIMIT 1',
      channel.channel_id,
      topicKey(topic),
      messageId,
    ) === undefined
  const chosen = (name: string) => settingOf(db, sender.user_id, name)
  if (wantsTopic(chosen('automatically_follow_topics_policy'), isFirst)) {
    decide(sender.user_id, 3)
    return told
  }
  const isMuted =
    db.get(
      'SELECT 1 FROM subscriptions WHERE user_id = ? AND channel_id = ? AND is_muted = 1',
      sender.user_id,
      channel.channel_id,
    ) !== undefined
  const unmutes = wantsTopic(chosen('automatically_unmute_topics_in_muted_streams_policy'), isFirst)
  if (before !== 2 && isMuted && unmutes) decide(sender.user_id, 2)
  return told
}
