import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { JumpTarget } from '../../src-shared/model/search-results.ts'
import { groupId, userId } from '../../src-shared/ids.ts'
import { isResolved, topicKey, topicWithoutMark } from '../../src-shared/model/conversation.ts'
import { matchNames, wordsOf } from '../../src-shared/model/name-match.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { sentAtFrom } from '../store/messages.ts'
import { objectsOf } from '../store/objects.ts'
import { channelById, channelFromRow, organizationRequiresTopic } from './channel-summary.ts'
import { emptyTopicName, labelOf, personById, userName, type QueryContext } from './labels.ts'

type Wish = Omit<CheckedParamsOf<'jump-targets'>, 'accountId'>

/** How many of the newest topics, direct conversations, and fitting people are looked through. */
const mostTopics = 5_000
const mostDirects = 300
const mostChannels = 5_000
const mostPeople = 300
const mostShownPeople = 2

/** What is added to how well the names fit. */
const worth = {
  unread: 0.5,
  /** While nothing is typed, what is unread comes first. */
  unreadUnasked: 2.5,
  mention: 0.3,
  newest: 0.8,
  chosen: 1.5,
  /** A channel stands for all its topics. */
  subscribed: 1.2,
  muted: -1.5,
  resolved: -0.7,
} as const

/** A place that fits; what is shown of it is looked up only for the best. */
interface Candidate {
  readonly key: string
  readonly score: number
  target(): JumpTarget | null
}

/**
 * Places to go to, best first: conversations and channels, then people and groups, as many of each as wished.
 * Everything comes from this device.
 */
export function jumpTargets(context: QueryContext, { text, of, often, limit }: Wish): JumpTarget[] {
  const words = wordsOf(text)
  const chosen = new Map(often.map((key, index) => [key, worth.chosen * (1 - index / often.length)]))
  const best = (candidates: readonly Candidate[]): JumpTarget[] =>
    candidates
      .map((one) => ({ one, score: one.score + (chosen.get(one.key) ?? 0) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .flatMap(({ one }) => one.target() ?? [])
  const known = channelsOf(context.db)
  const newestDirects = newest(context.db, 'direct', mostDirects)
  const places = [
    ...(of === 'everything' ? topics(context, words, known) : []),
    ...(of === 'everything' ? directs(context, words, newestDirects) : []),
    ...(of === 'channels' || (of === 'everything' && words.length > 0)
      ? channels(context, words, known)
      : []),
  ]
  const people =
    of === 'people' || (of === 'everything' && words.length > 0)
      ? [...persons(context, words, newestDirects), ...groups(context.db, words)]
      : []
  return [...best(places), ...best(people)]
}

interface KnownChannel {
  readonly channel_id: number
  readonly name: string
  readonly is_muted: number
  readonly is_subscribed: number
  readonly unread_count: number
}

function channelsOf(db: ReadableDb): ReadonlyMap<number, KnownChannel> {
  // The sums of all at once: they come from an index alone.
  const rows = db.all<KnownChannel>(
    `SELECT channels.channel_id, name, is_muted, is_subscribed, coalesce(sums.n, 0) AS unread_count
     FROM channels LEFT JOIN (
       SELECT channel_id, sum(unread_count) AS n FROM conversations
       WHERE kind = 'topic' AND unread_count > 0 GROUP BY channel_id) sums ON sums.channel_id = channels.channel_id
     WHERE is_archived = 0 ORDER BY is_subscribed DESC, folded_name LIMIT ${mostChannels}`,
  )
  return new Map(rows.map((row) => [row.channel_id, row]))
}

function topics(
  context: QueryContext,
  words: readonly string[],
  channelsById: ReadonlyMap<number, KnownChannel>,
): Candidate[] {
  const { db } = context
  const visibilities = new Map(
    db
      .all<{ channel_id: number; topic_key: string; visibility: string }>(
        'SELECT channel_id, topic_key, visibility FROM topic_visibility LIMIT 20000',
      )
      .map(({ channel_id, topic_key, visibility }) => [`${channel_id}:${topic_key}`, visibility]),
  )
  const emptyName = emptyTopicName(db)
  return newest(db, 'topic', mostTopics).flatMap((row, index) => {
    const channel = channelsById.get(row.channel_id ?? 0)
    if (channel === undefined) return []
    const topic = row.topic ?? ''
    const match = matchNames([topicWithoutMark(topic) || emptyName, channel.name], words)
    if (match === null) return []
    const visibility = visibilities.get(`${channel.channel_id}:${topicKey(topic)}`)
    const isMuted = visibility === 'muted' || (channel.is_muted === 1 && visibility === undefined)
    const score =
      match.score +
      liveliness(row, isMuted, words) +
      recency(index) +
      (isMuted ? worth.muted : 0) +
      (isResolved(topic) ? worth.resolved : 0)
    return [conversationCandidate(context, row, score)]
  })
}

function directs(context: QueryContext, words: readonly string[], rows: readonly NewestRow[]): Candidate[] {
  return rows.flatMap((row, index) => {
    const conversation = conversationFromRow(row)
    const ids = conversation.kind === 'direct' ? conversation.userIds : []
    const names = (ids.length > 0 ? ids : [context.ownUserId]).map((id) => userName(context.db, id))
    const match = matchNames([names.join(', ')], words)
    if (match === null) return []
    return [conversationCandidate(context, row, match.score + liveliness(row, false, words) + recency(index))]
  })
}

type NewestRow = Pick<
  ConversationRow,
  | 'key'
  | 'kind'
  | 'channel_id'
  | 'topic'
  | 'user_ids'
  | 'newest_message_id'
  | 'unread_count'
  | 'mention_count'
>

const newestIndex = { topic: 'conversations_by_newest', direct: 'conversations_direct' } as const

// Left to itself, SQLite goes through the newest topics until it has met enough directs.
const newest = (db: ReadableDb, kind: keyof typeof newestIndex, limit: number) =>
  db.all<NewestRow>(
    `SELECT key, kind, channel_id, topic, user_ids, newest_message_id, unread_count, mention_count
     FROM conversations INDEXED BY ${newestIndex[kind]}
     WHERE kind = '${kind}' AND newest_message_id > 0 ORDER BY newest_message_id DESC LIMIT ?`,
    [limit],
  )

const recency = (index: number) => worth.newest / (1 + index / 20)
const liveliness = (row: NewestRow, isMuted: boolean, words: readonly string[]) =>
  (row.unread_count === 0 || isMuted ? 0 : words.length === 0 ? worth.unreadUnasked : worth.unread) +
  (row.mention_count > 0 ? worth.mention : 0)

function conversationCandidate(context: QueryContext, row: NewestRow, score: number): Candidate {
  return {
    key: row.key,
    score,
    target() {
      const conversation = conversationFromRow(row)
      const label = labelOf(context, conversation)
      return {
        kind: 'conversation',
        conversation,
        label,
        people:
          label.kind === 'direct'
            ? label.userIds.slice(0, mostShownPeople).map((id) => personById(context, id))
            : [],
        unreadCount: row.unread_count,
        hasMention: row.mention_count > 0,
        newestAt: sentAtFrom(context.db, row.newest_message_id) ?? 0,
      }
    },
  }
}

function channels(
  { db }: QueryContext,
  words: readonly string[],
  known: ReadonlyMap<number, KnownChannel>,
): Candidate[] {
  return [...known.values()].flatMap((row) => {
    const match = matchNames([row.name], words)
    if (match === null) return []
    return [
      {
        key: `channel:${row.channel_id}`,
        score:
          match.score +
          (row.is_subscribed === 1 ? worth.subscribed : 0) +
          (row.is_muted === 1 ? worth.muted : row.unread_count > 0 ? worth.unread : 0),
        target: () => channelTarget(db, row.channel_id),
      },
    ]
  })
}

function channelTarget(db: ReadableDb, id: number): JumpTarget | null {
  const row = channelById(db, id)
  if (row === undefined) return null
  const count = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM conversations WHERE kind = 'topic' AND channel_id = ? AND newest_message_id > 0`,
    [id],
  )
  return {
    kind: 'channel',
    channel: channelFromRow(row, organizationRequiresTopic(db)),
    subscriberCount: row.subscriber_count,
    topicCount: count?.n ?? 0,
  }
}

/** The letters of a word in order, for SQL: what fits `matchNames` fits this. */
const likePattern = (word: string) =>
  `%${[...word].map((letter) => letter.replace(/[\\%_]/, '\\$&')).join('%')}%`

function persons(
  context: QueryContext,
  words: readonly string[],
  directs: readonly NewestRow[],
): Candidate[] {
  const [first = ''] = words
  // Looking up everybody's conversation would be most of the work; whoever is not among the newest comes by name.
  const recent = directs.flatMap(({ key }) => {
    const alone = /^direct:(\d+)$/.exec(key)
    return alone === null ? [] : [Number(alone[1])]
  })
  const ranks = new Map(recent.map((id, rank) => [id, rank]))
  const rows = context.db.all<{ user_id: number; full_name: string; is_bot: number }>(
    `SELECT user_id, full_name, is_bot FROM users
     WHERE is_active = 1 ${words.map(() => `AND folded_name LIKE ? ESCAPE '\\'`).join(' ')}
     ORDER BY instr(folded_name, ?) = 1 DESC, user_id IN (SELECT value FROM json_each(?)) DESC, is_bot, folded_name
     LIMIT ?`,
    [...words.map(likePattern), first, JSON.stringify(recent), mostPeople],
  )
  return rows.flatMap((row) => {
    const match = matchNames([row.full_name], words)
    if (match === null) return []
    const id = userId(row.user_id)
    const rank = ranks.get(id)
    return [
      {
        key: `person:${id}`,
        score: match.score + (rank === undefined ? 0 : recency(rank)) - row.is_bot * 0.2,
        target: (): JumpTarget => ({ kind: 'person', person: personById(context, id) }),
      },
    ]
  })
}

function groups(db: ReadableDb, words: readonly string[]): Candidate[] {
  return objectsOf(db, 'user-group').flatMap(({ id, name, members, is_system_group, deactivated }) => {
    if (typeof id !== 'number' || typeof name !== 'string') return []
    if (is_system_group === true || deactivated === true) return []
    const match = matchNames([name], words)
    if (match === null) return []
    const target: JumpTarget = {
      kind: 'group',
      groupId: groupId(id),
      name,
      memberCount: Array.isArray(members) ? members.length : null,
    }
    return [{ key: `group:${id}`, score: match.score, target: () => target }]
  })
}
