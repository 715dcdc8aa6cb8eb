import type { Database } from '../database.ts'
import type { NewEvent } from '../events/event-queues.ts'
import type { RenderedMessage } from '../../src-shared/markdown/render.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import type { Target } from './messages.ts'
import { groupById } from '../permissions/groups.ts'
import { mayInGroup, mayInRealm } from '../permissions/holders.ts'
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

/** A person's policy for a topic from now on, because of a message in it. */
export interface ChosenPolicy {
  readonly userId: number
  readonly policy: 2 | 3
  readonly event: NewEvent
}

interface TopicPlace {
  readonly channelId: number
  readonly topic: string
}

const policyOf = ({ db }: Workspace, userId: number, { channelId, topic }: TopicPlace): number | undefined =>
  db.get<{ policy: number }>(
    'SELECT policy FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
    userId,
    channelId,
    topicKey(topic),
  )?.policy

function decide(workspace: Workspace, userId: number, place: TopicPlace, policy: 2 | 3): ChosenPolicy {
  setTopicPolicy(workspace, userId, place.channelId, place.topic, policy)
  const event = {
    type: 'user_topic',
    stream_id: place.channelId,
    topic_name: place.topic,
    last_updated: workspace.now(),
    visibility_policy: policy,
  }
  return { userId, policy, event }
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
  const { db } = workspace
  const place = { channelId: target.channel.channel_id, topic: target.topic }
  const subscribers = new Set(
    rendered.mentionedUserIds.length === 0 ? [] : subscribersOf(db, place.channelId),
  )
  const mentioned = rendered.mentionedUserIds.filter(
    (id) =>
      id !== sender.user_id &&
      subscribers.has(id) &&
      policyOf(workspace, id, place) === undefined &&
      settingOf(db, id, 'automatically_follow_topics_where_mentioned') === true,
  )
  const isFirst = () =>
    db.get(
      'SELECT 1 FROM messages WHERE channel_id = ? AND topic_key = ? AND message_id < ? LIMIT 1',
      place.channelId,
      topicKey(place.topic),
      messageId,
    ) === undefined
  const wants = (when: unknown) =>
    when === onParticipating || when === onSending || (when === onStarting && isFirst())
  return [
    ...mentioned.map((id) => decide(workspace, id, place, 3)),
    ...ownDecision(workspace, sender, place, wants),
  ]
}

/** Like `followAutomatically`, for somebody who takes part in a topic without a message of their own. */
export const followByParticipating = (
  workspace: Workspace,
  user: UserRow,
  place: TopicPlace,
): ChosenPolicy[] => ownDecision(workspace, user, place, (when) => when === onParticipating)

// When topics are followed or unmuted automatically; 4 is never.
const onParticipating = 1
const onSending = 2
const onStarting = 3

function ownDecision(
  workspace: Workspace,
  user: UserRow,
  place: TopicPlace,
  wants: (when: unknown) => boolean,
): ChosenPolicy[] {
  if (user.bot_type !== null) return []
  const { db } = workspace
  const before = policyOf(workspace, user.user_id, place)
  if (before === 1 || before === 3) return []
  const chosen = (name: string) => settingOf(db, user.user_id, name)
  if (wants(chosen('automatically_follow_topics_policy'))) return [decide(workspace, user.user_id, place, 3)]
  const isMuted =
    db.get(
      'SELECT 1 FROM subscriptions WHERE user_id = ? AND channel_id = ? AND is_muted = 1',
      user.user_id,
      place.channelId,
    ) !== undefined
  const unmutes = isMuted && wants(chosen('automatically_unmute_topics_in_muted_streams_policy'))
  return before !== 2 && unmutes ? [decide(workspace, user.user_id, place, 2)] : []
}
