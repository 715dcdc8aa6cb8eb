import { publishFlags, readOutside } from './flags.ts'
import { toldOf } from './message-audience.ts'
import type { HistoryEntry } from './message-history.ts'
import { topicLinks } from '../../src-shared/markdown/render.ts'
import { changeWords } from './message-words.ts'
import { assertTopicAllowed, type MessageRow } from './messages.ts'
import { linkifiers } from '../markdown/render.ts'
import { resolvedPrefix, topicKey } from '../../src-shared/topic-names.ts'
import { normalizeTopic } from '../topics.ts'
import { announceMove, type Notices } from './move-notices.ts'
import { accessibleChannel, assertCanPost, canReadChannel } from '../permissions/channels.ts'
import {
  canChangeTopics,
  canMoveOut,
  canResolveTopics,
  movableSince,
} from '../permissions/message-changes.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { movedPolicies } from '../channels/topic-policies.ts'
import {
  channelById,
  subscribersOf,
  userById,
  type ChannelRow,
  type UserRow,
  type Workspace,
} from '../workspace.ts'

/**
 * Which messages of the topic move: this one, it and the later ones, or all (specification, PATCH
 * /messages/{message_id}).
 */
export type PropagateMode = 'change_one' | 'change_later' | 'change_all'

/** The wanted destination of messages; undefined keeps what it is. */
export interface MoveRequest extends Notices {
  readonly topic?: string | undefined
  readonly channelId?: number | undefined
  readonly mode?: PropagateMode | undefined
}

/** A move that is allowed. */
export interface Move extends Notices {
  readonly source: ChannelRow
  readonly target: ChannelRow
  readonly topic: string
  readonly ids: readonly number[]
  readonly mode: PropagateMode
  readonly resolution: 'resolved' | 'unresolved' | null
}

/** The result of a move. */
export interface Moved {
  readonly ids: readonly number[]
  /** Everybody who is told of the move, each with the ids of the messages that they may know of. */
  readonly told: ReadonlyMap<number, readonly number[]>
  /** Fields for the `update_message` event. */
  readonly fields: object
  /** The entry for every moved message's history. */
  readonly history: Partial<HistoryEntry>
  /** Publishes what follows from the move, after the move's own event. */
  announce(): void
}

/**
 * The move that a request amounts to; null if everything stays where it is. Throws the refusal if it is not allowed.
 */
export function checkedMove(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  wanted: MoveRequest,
): Move | null {
  const { db } = workspace
  const mode = wanted.mode ?? 'change_one'
  if (wanted.topic === undefined && wanted.channelId === undefined) {
    if (mode !== 'change_one') throw badRequest('Invalid propagate_mode without topic edit')
    return null
  }
  const source = row.channel_id === null ? undefined : channelById(db, row.channel_id)
  if (source === undefined) throw badRequest('Direct messages cannot be moved to channels.')
  const target = wanted.channelId === undefined ? source : accessibleChannel(db, user, wanted.channelId)
  const topic = wanted.topic === undefined ? row.topic : normalizeTopic(db, wanted.topic)
  const isToChannel = target.channel_id !== source.channel_id
  if (topic === row.topic && !isToChannel) return null
  if (row.topic === '' && topic === resolvedPrefix.trim())
    throw badRequest('The empty topic cannot be marked as resolved.')
  const resolution = isToChannel ? null : resolutionOf(row.topic, topic)
  if (resolution !== null) {
    if (!canResolveTopics(db, user, source))
      throw badRequest("You don't have permission to resolve topics in this channel")
  } else if (topic !== row.topic && !canChangeTopics(db, user, source, target)) {
    throw badRequest("You don't have permission to edit this message")
  }
  if (isToChannel) {
    if (!canMoveOut(db, user, source)) throw badRequest("You don't have permission to move this message")
    assertCanPost(db, user, target)
  }
  assertTopicAllowed(db, target, topic)
  const ids = idsOf(workspace, user, row, source, mode)
  if (resolution === null) {
    const since = movableSince(
      db,
      user,
      { topic: topic !== row.topic, channel: isToChannel },
      workspace.now(),
    )
    if (since !== null) assertInTime(workspace, row, ids, mode, since)
  }
  const { oldThread, newThread } = wanted
  return { source, target, topic, ids, mode, resolution, oldThread, newThread }
}

function resolutionOf(before: string, after: string): Move['resolution'] {
  if (after === `${resolvedPrefix}${before}`) return 'resolved'
  return before === `${resolvedPrefix}${after}` ? 'unresolved' : null
}

/** The messages that move; if the channel does not share its history, only those that the person received. */
function idsOf(
  { db }: Workspace,
  user: UserRow,
  row: MessageRow,
  source: ChannelRow,
  mode: PropagateMode,
): number[] {
  const [from, to] =
    mode === 'change_one'
      ? [row.message_id, row.message_id]
      : [mode === 'change_later' ? row.message_id : 0, Number.MAX_SAFE_INTEGER]
  return db.column<number>(
    `SELECT m.message_id FROM messages m WHERE m.channel_id = :channel AND m.topic_key = :topic
       AND m.message_id BETWEEN :from AND :to
       AND (:shared = 1 OR EXISTS (SELECT 1 FROM user_messages um
         WHERE um.user_id = :user AND um.message_id = m.message_id))
     ORDER BY m.message_id`,
    {
      channel: source.channel_id,
      topic: row.topic_key,
      from,
      to,
      shared: source.has_shared_history,
      user: user.user_id,
    },
  )
}

function assertInTime(
  { db }: Workspace,
  row: MessageRow,
  ids: readonly number[],
  mode: PropagateMode,
  since: number,
): void {
  if (mode !== 'change_all') {
    if (row.sent_at < since) throw badRequest('The time limit for moving this message has passed')
    return
  }
  const allowed = db.all<{ message_id: number }>(
    `SELECT message_id FROM messages WHERE message_id IN (SELECT value FROM json_each(?)) AND sent_at >= ?
     ORDER BY message_id`,
    JSON.stringify(ids),
    since,
  )
  if (allowed.length === ids.length) return
  throw new ServiceError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `You only have permission to move the ${allowed.length}/${ids.length} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move: allowed[0]?.message_id ?? null,
      total_messages_in_topic: ids.length,
      total_messages_allowed_to_move: allowed.length,
    },
  )
}

/** Moves the messages; call it inside a transaction. */
export function applyMove(
  workspace: Workspace,
  user: UserRow,
  row: MessageRow,
  move: Move,
  now: number,
): Moved {
  const { db } = workspace
  const { source, target, topic, ids, mode } = move
  const isToChannel = target.channel_id !== source.channel_id
  const before = isToChannel ? toldOf(workspace, source, ids) : new Map<number, readonly number[]>()
  // Whoever moves messages in a channel that they are not in is told too.
  before.set(user.user_id, ids)
  for (const id of ids) {
    const { content } = db.get<{ content: string }>(
      'SELECT content FROM messages WHERE message_id = ?',
      id,
    ) ?? {
      content: '',
    }
    db.run(
      `UPDATE messages SET channel_id = ?, topic = ?, topic_key = ?, moved_at = coalesce(?, moved_at)
       WHERE message_id = ?`,
      target.channel_id,
      topic,
      topicKey(topic),
      // For readers, resolving a topic is not a move.
      move.resolution === null ? now : null,
      id,
    )
    if (topic !== row.topic) changeWords(workspace.db, id, content, topic)
  }
  if (isToChannel && target.has_shared_history === 0) giveHistory(workspace, target, ids)
  const isWhole =
    db.get(
      'SELECT 1 FROM messages WHERE channel_id = ? AND topic_key = ? LIMIT 1',
      source.channel_id,
      row.topic_key,
    ) === undefined
  const policies = isWhole
    ? movedPolicies(workspace, { source, topic: row.topic }, { target, topic }, ids)
    : []
  const told = toldOf(workspace, target, ids)
  if (isToChannel) takeAway(workspace, ids, told)
  const read = isToChannel ? readOutside(workspace, target, ids) : new Map<number, number[]>()
  const lost = new Map<number, readonly number[]>()
  for (const [userId, known] of before) {
    const heard = new Set(told.get(userId))
    const missed = known.filter((id) => !heard.has(id))
    if (missed.length === 0) continue
    const person = userById(db, userId)
    // Whoever knew of a message hears where it went, unless they cannot read it there.
    if (target.has_shared_history === 1 && person !== undefined && canReadChannel(db, person, target))
      told.set(userId, known)
    else lost.set(userId, missed)
  }
  const topicFields = {
    orig_subject: row.topic,
    ...(topic === row.topic ? {} : { subject: topic, topic_links: topicLinks(topic, linkifiers(db)) }),
  }
  return {
    ids,
    told,
    fields: {
      ...topicFields,
      propagate_mode: mode,
      ...(isToChannel ? { new_stream_id: target.channel_id } : {}),
    },
    history: {
      ...(topic === row.topic ? {} : { prev_topic: row.topic, topic }),
      ...(isToChannel ? { prev_stream: source.channel_id, stream: target.channel_id } : {}),
    },
    announce() {
      for (const [userId, gone] of lost) {
        workspace.publish([userId], {
          type: 'delete_message',
          message_ids: gone,
          message_type: 'stream',
          stream_id: source.channel_id,
          topic: row.topic,
        })
      }
      for (const [user_id, messages] of read)
        publishFlags(workspace, { user_id }, { op: 'add', flag: 'read', messages, all: false })
      for (const { userId, event } of policies) workspace.publish([userId], event)
      announceMove(workspace, user, row, move, isWhole)
    },
  }
}

/** Removes moved messages from the people who received them and may not read them where they are now. */
function takeAway({ db }: Workspace, ids: readonly number[], told: ReadonlyMap<number, unknown>): void {
  db.run(
    `DELETE FROM user_messages WHERE message_id IN (SELECT value FROM json_each(?))
       AND user_id NOT IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
    JSON.stringify([...told.keys()]),
  )
}

/** In a channel whose new subscribers see no history, the present subscribers get the moved messages. */
function giveHistory({ db }: Workspace, target: ChannelRow, ids: readonly number[]): void {
  for (const userId of subscribersOf(db, target.channel_id)) {
    db.run(
      `INSERT OR IGNORE INTO user_messages (user_id, message_id, is_read, is_historical)
       SELECT ?, value, 1, 1 FROM json_each(?)`,
      userId,
      JSON.stringify(ids),
    )
  }
}
