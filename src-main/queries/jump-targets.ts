import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { JumpTarget } from '../../src-shared/model/search-results.ts'
import { groupId, userId } from '../../src-shared/ids.ts'
import { isResolved, topicKey, topicWithoutMark } from '../../src-shared/topic-names.ts'
import { foldName, scoreFolded, wordsOf } from '../../src-shared/model/name-match.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { sentAtFrom } from '../store/messages.ts'
import { objectsOf } from '../store/objects.ts'
import { channelById, channelFromRow, organizationTopics } from './channel-summary.ts'
import type { QueryContext } from './context.ts'
import { emptyTopicName, labelOf, personById, userNames } from './labels.ts'

type Params = Omit<CheckedParamsOf<'jump-targets'>, 'accountId'>

/** How many of the newest topics and direct conversations, and of the matching people, are considered. */
const mostTopics = 5_000
const mostDirects = 300
const mostChannels = 5_000
const mostPeople = 300
const mostShownPeople = 2

/** Bonuses that are added to the score of a name. */
const worth = {
  unread: 0.5,
  /** While nothing is typed, unread places come first. */
  unreadUnasked: 2.5,
  mention: 0.3,
  newest: 0.8,
  chosen: 1.5,
  /** A channel represents all of its topics. */
  subscribed: 1.2,
  muted: -1.5,
  resolved: -0.7,
} as const

/** A matching place; its details are looked up only for the best ones. */
interface Candidate {
  readonly score: number
  target(): JumpTarget | null
}

/**
 * Places to go to, best first: conversations and channels, then people and groups, as many of each as requested. All of
 * them come from this device.
 */
export function jumpTargets(context: QueryContext, { text, of, often, limit }: Params): JumpTarget[] {
  const { db } = context
  const words = wordsOf(text)
  const chosen = chosenPlaces(db, often)
  const best = (candidates: readonly Candidate[]): JumpTarget[] =>
    highest(candidates, limit).flatMap((one) => one.target() ?? [])
  const places = [
    ...(of === 'everything' ? topics(context, words, chosen) : []),
    ...(of === 'everything' ? directs(context, words, chosen) : []),
    ...(of === 'channels' || (of === 'everything' && words.length > 0)
      ? channels(context, words, chosen)
      : []),
  ]
  const people =
    of === 'people' || (of === 'everything' && words.length > 0)
      ? [...persons(context, words, chosen), ...groups(db, words, chosen)]
      : []
  return [...best(places), ...best(people)]
}

/** What the person chose before, and the bonus for it. */
interface Chosen {
  /** By the row ids of conversations. */
  readonly conversations: ReadonlyMap<number, number>
  /** By the keys of everything that is not a conversation. */
  readonly others: ReadonlyMap<string, number>
}

function chosenPlaces(db: ReadableDb, often: readonly string[]): Chosen {
  const others = new Map(often.map((key, index) => [key, worth.chosen * (1 - index / often.length)]))
  const rows =
    often.length === 0
      ? []
      : db.all<{ conversation_id: number; key: string }>(
          `SELECT conversation_id, key FROM conversations WHERE key IN (SELECT value FROM json_each(?))`,
          [JSON.stringify(often)],
        )
  return {
    conversations: new Map(rows.map(({ conversation_id, key }) => [conversation_id, others.get(key) ?? 0])),
    others,
  }
}

/** The candidates with the highest scores, best first; among equals, the earlier one wins. */
function highest(candidates: readonly Candidate[], limit: number): Candidate[] {
  const found: Candidate[] = []
  for (const one of candidates) {
    if (found.length >= limit && one.score <= (found.at(-1)?.score ?? 0)) continue
    const place = found.findIndex(({ score }) => score < one.score)
    found.splice(place < 0 ? found.length : place, 0, one)
    if (found.length > limit) found.pop()
  }
  return found
}

interface KnownChannel {
  readonly channel_id: number
  readonly name: string
  readonly is_muted: number
  readonly is_subscribed: number
  readonly unread_count: number
}

/** Channels with folded names; the person's own come first. */
const channelsOf = (db: ReadableDb): ReadonlyMap<number, KnownChannel & { readonly folded: string }> =>
  db.remembered('jump-channels', () => {
    // The sums of all channels at once: they come from an index alone.
    const rows = db.all<KnownChannel>(
      `SELECT channels.channel_id, name, is_muted, is_subscribed, coalesce(sums.n, 0) AS unread_count
       FROM channels LEFT JOIN (
         SELECT channel_id, sum(unread_count) AS n FROM conversations
         WHERE kind = 'topic' AND unread_count > 0 GROUP BY channel_id) sums ON sums.channel_id = channels.channel_id
       WHERE is_archived = 0 ORDER BY is_subscribed DESC, folded_name LIMIT ${mostChannels}`,
    )
    return new Map(rows.map((row) => [row.channel_id, { ...row, folded: foldName(row.name) }]))
  })

/** A conversation that can be a target. */
interface KnownConversation {
  readonly id: number
  /** Folded. */
  readonly names: readonly string[]
  readonly isMuted: boolean
  readonly isResolved: boolean
  readonly hasUnread: boolean
  readonly hasMention: boolean
}

interface NewestRow {
  readonly conversation_id: number
  readonly channel_id: number | null
  readonly topic: string | null
  readonly user_ids: string | null
  readonly unread_count: number
  readonly mention_count: number
}

const newestIndex = { topic: 'conversations_by_newest', direct: 'conversations_direct' } as const
const ownColumn = { topic: 'channel_id, topic', direct: 'user_ids' } as const

// Without the hint, SQLite scans the newest topics until it has found enough direct conversations.
const newest = (db: ReadableDb, kind: keyof typeof newestIndex, limit: number) =>
  db.all<NewestRow>(
    `SELECT conversation_id, ${ownColumn[kind]}, unread_count, mention_count
     FROM conversations INDEXED BY ${newestIndex[kind]}
     WHERE kind = '${kind}' AND newest_message_id > 0 ORDER BY newest_message_id DESC LIMIT ?`,
    [limit],
  )

interface FoldedTopic {
  readonly topic: string
  readonly folded: string
  readonly key: string
}

// What is derived from a topic's name is kept, because the counts change with every message.
const foldedTopics = new WeakMap<ReadableDb, Map<number, FoldedTopic>>()

/** The newest topics, newest first. The empty topic's name is in the person's language. */
const topicsOf = (db: ReadableDb): readonly KnownConversation[] =>
  db.remembered(`jump-topics:${t.locale}`, () => {
    const channels = channelsOf(db)
    const visibilities = new Map(
      db
        .all<{ channel_id: number; topic_key: string; visibility: string }>(
          'SELECT channel_id, topic_key, visibility FROM topic_visibility LIMIT 20000',
        )
        .map(({ channel_id, topic_key, visibility }) => [`${channel_id}:${topic_key}`, visibility]),
    )
    const emptyName = foldName(emptyTopicName(db))
    const before = foldedTopics.get(db)
    const now = new Map<number, FoldedTopic>()
    foldedTopics.set(db, now)
    return newest(db, 'topic', mostTopics).flatMap((row) => {
      const topic = row.topic ?? ''
      const known = before?.get(row.conversation_id)
      const folded =
        known?.topic === topic
          ? known
          : { topic, folded: foldName(topicWithoutMark(topic)), key: topicKey(topic) }
      now.set(row.conversation_id, folded)
      const channel = channels.get(row.channel_id ?? 0)
      if (channel === undefined) return []
      const visibility =
        visibilities.size === 0 ? undefined : visibilities.get(`${row.channel_id}:${folded.key}`)
      return [
        {
          id: row.conversation_id,
          names: [folded.folded || emptyName, channel.folded],
          isMuted: visibility === 'muted' || (channel.is_muted === 1 && visibility === undefined),
          isResolved: isResolved(topic),
          hasUnread: row.unread_count > 0,
          hasMention: row.mention_count > 0,
        },
      ]
    })
  })

/** The newest direct conversations, newest first; `alone` is the other person of a one-to-one conversation. */
const directsOf = ({ db, ownUserId }: QueryContext) =>
  db.remembered(`jump-directs:${t.locale}`, () => {
    const rows = newest(db, 'direct', mostDirects).map((row) => {
      const conversation = conversationFromRow({
        kind: 'direct',
        channel_id: null,
        topic: null,
        user_ids: row.user_ids,
      })
      return { row, userIds: conversation.kind === 'direct' ? conversation.userIds : [] }
    })
    const name = userNames(
      db,
      rows.flatMap(({ userIds }) => userIds),
    )
    return rows.map(({ row, userIds }): KnownConversation & { readonly alone: number | null } => ({
      id: row.conversation_id,
      names: [foldName((userIds.length > 0 ? userIds : [ownUserId]).map(name).join(', '))],
      isMuted: false,
      isResolved: false,
      hasUnread: row.unread_count > 0,
      // Somebody wants this person, as with a mention.
      hasMention: row.unread_count > 0,
      alone: userIds.length === 1 ? (userIds[0] ?? null) : null,
    }))
  })

const topics = (context: QueryContext, words: readonly string[], chosen: Chosen): Candidate[] =>
  topicsOf(context.db).flatMap((one, index) => conversationCandidate(context, one, index, words, chosen))

const directs = (context: QueryContext, words: readonly string[], chosen: Chosen): Candidate[] =>
  directsOf(context).flatMap((one, index) => conversationCandidate(context, one, index, words, chosen))

const recency = (index: number) => worth.newest / (1 + index / 20)

function conversationCandidate(
  context: QueryContext,
  { id, names, isMuted, isResolved, hasUnread, hasMention }: KnownConversation,
  index: number,
  words: readonly string[],
  chosen: Chosen,
): readonly Candidate[] {
  const fit = scoreFolded(names, words)
  if (fit === null) return []
  const score =
    fit +
    (!hasUnread || isMuted ? 0 : words.length === 0 ? worth.unreadUnasked : worth.unread) +
    (hasMention ? worth.mention : 0) +
    recency(index) +
    (isMuted ? worth.muted : 0) +
    (isResolved ? worth.resolved : 0) +
    (chosen.conversations.get(id) ?? 0)
  return [{ score, target: () => conversationTarget(context, id) }]
}

function conversationTarget(context: QueryContext, id: number): JumpTarget | null {
  const { db } = context
  const row = db.get<ConversationRow>('SELECT * FROM conversations WHERE conversation_id = ?', [id])
  if (row === undefined) return null
  const conversation = conversationFromRow(row)
  const label = labelOf(context, conversation)
  return {
    kind: 'conversation',
    conversation,
    label,
    people:
      label.kind === 'direct'
        ? label.userIds.slice(0, mostShownPeople).map((user) => personById(context, user))
        : [],
    unreadCount: row.unread_count,
    hasMention: row.mention_count > 0,
    newestAt: sentAtFrom(db, row.newest_message_id) ?? 0,
  }
}

function channels({ db }: QueryContext, words: readonly string[], chosen: Chosen): Candidate[] {
  return [...channelsOf(db).values()].flatMap((row) => {
    const fit = scoreFolded([row.folded], words)
    if (fit === null) return []
    return [
      {
        score:
          fit +
          (row.is_subscribed === 1 ? worth.subscribed : 0) +
          (row.is_muted === 1 ? worth.muted : row.unread_count > 0 ? worth.unread : 0) +
          (chosen.others.get(`channel:${row.channel_id}`) ?? 0),
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
    channel: channelFromRow(row, organizationTopics(db)),
    subscriberCount: row.subscriber_count,
    topicCount: count?.n ?? 0,
  }
}

/** An SQL pattern of a word's letters in order: everything that `scoreFolded` accepts matches it. */
const likePattern = (word: string) =>
  `%${[...word].map((letter) => letter.replace(/[\\%_]/, '\\$&')).join('%')}%`

function persons(context: QueryContext, words: readonly string[], chosen: Chosen): Candidate[] {
  const [first = ''] = words
  // Finding everybody's conversation would be most of the work, so only the newest ones rank people; others go by name.
  const recent = directsOf(context).flatMap(({ alone }) => alone ?? [])
  const ranks = new Map(recent.map((id, rank) => [id, rank]))
  const rows = context.db.all<{ user_id: number; full_name: string; is_bot: number }>(
    `SELECT user_id, full_name, is_bot FROM users
     WHERE is_active = 1 ${words.map(() => `AND folded_name LIKE ? ESCAPE '\\'`).join(' ')}
     ORDER BY instr(folded_name, ?) = 1 DESC, user_id IN (SELECT value FROM json_each(?)) DESC, is_bot, folded_name
     LIMIT ?`,
    [...words.map(likePattern), first, JSON.stringify(recent), mostPeople],
  )
  return rows.flatMap((row) => {
    const fit = scoreFolded([foldName(row.full_name)], words)
    if (fit === null) return []
    const id = userId(row.user_id)
    const rank = ranks.get(id)
    return [
      {
        score:
          fit +
          (rank === undefined ? 0 : recency(rank)) -
          row.is_bot * 0.2 +
          (chosen.others.get(`person:${id}`) ?? 0),
        target: (): JumpTarget => ({ kind: 'person', person: personById(context, id) }),
      },
    ]
  })
}

function groups(db: ReadableDb, words: readonly string[], chosen: Chosen): Candidate[] {
  return objectsOf(db, 'user-group').flatMap(({ id, name, members, is_system_group, deactivated }) => {
    if (typeof id !== 'number' || typeof name !== 'string') return []
    if (is_system_group === true || deactivated === true) return []
    const fit = scoreFolded([foldName(name)], words)
    if (fit === null) return []
    const target: JumpTarget = {
      kind: 'group',
      groupId: groupId(id),
      name,
      memberCount: Array.isArray(members) ? members.length : null,
    }
    return [{ score: fit + (chosen.others.get(`group:${id}`) ?? 0), target: () => target }]
  })
}
