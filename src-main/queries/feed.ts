import type { CheckedParamsOf, Feed } from '../../src-shared/bridge/queries.ts'
import { messageId, userId } from '../../src-shared/ids.ts'
import {
  conversationKey,
  isResolved,
  resolvedTopic,
  topicWithoutMark,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import type {
  FeedMessage,
  ReactionGroup,
  RecipientLabel,
  WaitingEdit,
  WaitingMessage,
} from '../../src-shared/model/message.ts'
import { contains, narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { conversationFromRow, findConversation, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { outboxRows, type OutboxRow } from '../store/outbox.ts'
import { rangesOf, type Range } from '../store/ranges.ts'
import { labelOf, statusColumn, statusFromBody, userName, type QueryContext } from './labels.ts'
import { ownWords, type OwnWords } from './own-words.ts'
import { sendStateOf } from './send-state.ts'
import { widgetsOf } from './widgets.ts'

interface MessageRow {
  message_id: number
  conversation_id: number
  sender_id: number
  sender_name: string
  full_name: string | null
  avatar_url: string | null
  is_bot: number | null
  status: string | null
  sent_at: number
  edited_at: number | null
  moved_at: number | null
  content_html: string
  is_me_message: number
  is_read: number
  is_starred: number
  is_mentioned: number
  muted_since: number | null
  kind: 'topic' | 'direct'
  channel_id: number | null
  topic: string | null
  user_ids: string | null
}

const messageSelect = `
  SELECT m.*, u.full_name, u.avatar_url, u.is_bot, ${statusColumn('m.sender_id')}, mu.since AS muted_since, c.kind, c.topic, c.user_ids
  FROM messages m
  JOIN conversations c ON c.conversation_id = m.conversation_id
  LEFT JOIN users u ON u.user_id = m.sender_id
  LEFT JOIN muted_users mu ON mu.user_id = m.sender_id`

/** SQL that is true for the messages of a narrow, with its parameters; each has an index. */
function conditionOf(db: ReadableDb, narrow: Narrow): { sql: string; parameters: number[] } {
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      return { sql: 'm.conversation_id = ?', parameters: [findConversation(db, narrow) ?? -1] }
    case 'channel':
      return { sql: 'm.channel_id = ?', parameters: [narrow.channelId] }
    case 'mentions':
      return { sql: 'm.is_mentioned = 1', parameters: [] }
    case 'directs':
      return { sql: 'm.channel_id IS NULL', parameters: [] }
    case 'starred':
      return { sql: 'm.is_starred = 1', parameters: [] }
    case 'reactions':
      return {
        sql: 'm.sender_id = ? AND EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.message_id)',
        parameters: [narrow.userId],
      }
    case 'combined':
      return {
        sql: `(m.channel_id IS NULL OR NOT EXISTS (
          SELECT 1 FROM channels ch WHERE ch.channel_id = m.channel_id AND (
            (ch.is_muted = 1 AND NOT EXISTS (SELECT 1 FROM topic_visibility v WHERE v.channel_id = m.channel_id
               AND v.visibility IN ('unmuted', 'followed') AND 'topic:' || v.channel_id || ':' || v.topic_key = c.key))
            OR EXISTS (SELECT 1 FROM topic_visibility v WHERE v.channel_id = m.channel_id
               AND v.visibility = 'muted' AND 'topic:' || v.channel_id || ':' || v.topic_key = c.key))))`,
        parameters: [],
      }
  }
}

/** More than a person can have waiting; the rest is in the outbox's own view. */
const outboxLimit = 1_000

/** A window of a narrow's messages around an anchor, with what waits at its end. Bounded by its parameters. */
export function feed(context: QueryContext, params: CheckedParamsOf<'feed'>): Feed {
  const { db } = context
  const { narrow } = params
  const { sql, parameters } = conditionOf(db, narrow)
  const firstUnread = firstUnreadIn(db, narrow)
  const anchor =
    params.around === 'newest' ? null : params.around === 'first-unread' ? firstUnread : params.around
  // One more on each side tells whether there is more.
  const older = db.all<MessageRow>(
    `${messageSelect} WHERE ${sql} ${anchor === null ? '' : 'AND m.message_id < ?'}
     ORDER BY m.message_id DESC LIMIT ?`,
    [...parameters, ...(anchor === null ? [] : [anchor]), params.before + 1],
  )
  const newer =
    anchor === null
      ? []
      : db.all<MessageRow>(
          `${messageSelect} WHERE ${sql} AND m.message_id >= ? ORDER BY m.message_id LIMIT ?`,
          [...parameters, anchor, params.after + 1],
        )
  const hasOlder = older.length > params.before
  const hasNewer = newer.length > params.after
  const rows = [...older.slice(0, params.before).reverse(), ...newer.slice(0, params.after)]
  const { before, after, gapAfter } = edges(db, narrow, rows, hasOlder, hasNewer)
  const outbox = outboxRows(db, outboxLimit)
  const messages = toMessages(context, rows, outbox)
  return {
    anchorId: anchor === null ? (messages.at(-1)?.id ?? null) : messageId(anchor),
    anchorIsUnread: anchor !== null && anchor === firstUnread,
    messages,
    waiting: hasNewer ? [] : waitingIn(context, narrow, outbox),
    before,
    after,
    unreadCount: unreadIn(db, narrow),
    moving: movingIn(outbox),
    movedTo:
      narrow.kind !== 'topic'
        ? null
        : ((typeof params.around === 'number' ? elsewhere(db, narrow, params.around) : null) ??
          (messages.length === 0 ? resolvedTwin(db, narrow) : null)),
    firstUnreadId: firstUnread === null ? null : messageId(firstUnread),
    gapAfter,
  }
}

/** The first unread message whose text is here. */
function firstUnreadIn(db: ReadableDb, narrow: Narrow): number | null {
  if (narrow.kind === 'topic' || narrow.kind === 'direct') {
    return (
      db.get<{ id: number | null }>(
        `SELECT min(n.message_id) AS id FROM unread n JOIN messages m USING (message_id)
         WHERE n.conversation_id = ?`,
        [findConversation(db, narrow) ?? -1],
      )?.id ?? null
    )
  }
  const { sql, parameters } = conditionOf(db, narrow)
  return (
    db.get<{ id: number }>(
      `SELECT n.message_id AS id FROM unread n JOIN messages m USING (message_id)
       JOIN conversations c ON c.conversation_id = m.conversation_id WHERE ${sql}
       ORDER BY n.message_id LIMIT 1`,
      parameters,
    )?.id ?? null
  )
}

function unreadIn(db: ReadableDb, narrow: Narrow): number {
  const one = (sql: string, parameters: number[]) => db.get<{ n: number | null }>(sql, parameters)?.n ?? 0
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      return one('SELECT unread_count AS n FROM conversations WHERE conversation_id = ?', [
        findConversation(db, narrow) ?? -1,
      ])
    case 'channel':
      return one(`SELECT sum(unread_count) AS n FROM conversations WHERE kind = 'topic' AND channel_id = ?`, [
        narrow.channelId,
      ])
    case 'mentions':
      return one('SELECT sum(mention_count) AS n FROM conversations WHERE unread_count > 0', [])
    case 'directs':
      return one(
        `SELECT sum(unread_count) AS n FROM conversations WHERE kind = 'direct' AND unread_count > 0`,
        [],
      )
    case 'starred':
    case 'reactions':
      return 0
    case 'combined': {
      const { sql, parameters } = conditionOf(db, narrow)
      return one(
        `SELECT count(*) AS n FROM unread n JOIN messages m USING (message_id)
         JOIN conversations c ON c.conversation_id = m.conversation_id WHERE ${sql}`,
        parameters,
      )
    }
  }
}

/** What lies beyond the window, from the known stretches of history. */
function edges(
  db: ReadableDb,
  narrow: Narrow,
  rows: readonly MessageRow[],
  hasOlder: boolean,
  hasNewer: boolean,
): Pick<Feed, 'before' | 'after' | 'gapAfter'> {
  const first = rows[0]?.message_id
  const last = rows.at(-1)?.message_id
  const ranges = stretchesFor(db, narrow)
  const reaches = (id: number | undefined) =>
    ranges.some(
      (range) =>
        range.reachesBeginning &&
        (id === undefined ? range.isLive : range.oldestId <= id && id <= range.newestId),
    )
  const isLive = (id: number | undefined) =>
    ranges.some((range) => range.isLive && (id === undefined || range.oldestId <= id))
  let gapAfter: number | null = null
  for (let index = 1; index < rows.length && gapAfter === null; index++) {
    const left = rows[index - 1]?.message_id ?? 0
    const right = rows[index]?.message_id ?? 0
    if (!ranges.some((range) => range.oldestId <= left && right <= range.newestId)) gapAfter = left
  }
  return {
    before: hasOlder ? 'here' : reaches(first) ? 'beginning' : 'on-server',
    after: hasNewer ? 'here' : isLive(last) ? 'end' : 'on-server',
    gapAfter: gapAfter === null ? null : messageId(gapAfter),
  }
}

/** The stretches of history that are complete for a narrow: its own, and those of whatever contains it. */
function stretchesFor(db: ReadableDb, narrow: Narrow): Range[] {
  const own = rangesOf(db, narrowKey(narrow))
  const combined = () => rangesOf(db, 'combined')
  switch (narrow.kind) {
    case 'combined':
      return own
    case 'mentions':
    case 'directs':
    case 'starred':
    case 'reactions':
      return [...own, ...combined()]
    case 'direct':
      return [...own, ...rangesOf(db, 'directs'), ...combined()]
    case 'channel':
      return [...own, ...combinedInChannel(db, narrow.channelId)]
    case 'topic':
      return [
        ...own,
        ...rangesOf(db, `channel:${narrow.channelId}`),
        ...combinedInChannel(db, narrow.channelId),
      ]
  }
}

/**
 * What the combined history says of a channel. It holds only what was sent while the person was subscribed, so it
 * never tells where a channel or topic begins, and says nothing of a channel that the person is not in.
 */
function combinedInChannel(db: ReadableDb, channelId: number): Range[] {
  const isSubscribed =
    db.get<{ is_subscribed: number }>('SELECT is_subscribed FROM channels WHERE channel_id = ?', [channelId])
      ?.is_subscribed === 1
  return isSubscribed ? rangesOf(db, 'combined').map((range) => ({ ...range, reachesBeginning: false })) : []
}

function toMessages(
  context: QueryContext,
  rows: readonly MessageRow[],
  outbox: readonly OutboxRow[],
): FeedMessage[] {
  const labels = new Map<number, { conversation: Conversation; recipient: RecipientLabel }>()
  const reactions = reactionsOf(
    context,
    rows.map((row) => row.message_id),
    outbox,
  )
  const edits = waitingEdits(
    context.db,
    outbox,
    rows.map((row) => row.message_id),
  )
  const widgets = widgetsOf(context, rows, outbox)
  return rows.map((row) => {
    let place = labels.get(row.conversation_id)
    if (place === undefined) {
      const conversation = conversationFromRow(row)
      place = { conversation, recipient: labelOf(context, conversation) }
      labels.set(row.conversation_id, place)
    }
    return {
      id: messageId(row.message_id),
      ...place,
      senderId: userId(row.sender_id),
      senderName: row.full_name ?? row.sender_name,
      senderAvatarUrl: row.avatar_url,
      senderIsBot: row.is_bot === 1,
      senderStatus: statusFromBody(context.db, row.status),
      sentAt: row.sent_at,
      editedAt: row.edited_at,
      movedAt: row.moved_at,
      contentHtml: row.content_html,
      isUnread: row.is_read === 0,
      isStarred: row.is_starred === 1,
      isMentioned: row.is_mentioned === 1,
      isMeMessage: row.is_me_message === 1,
      senderIsMuted: row.muted_since !== null,
      reactions: reactions.get(row.message_id) ?? [],
      widget: widgets.get(row.message_id) ?? null,
      waitingEdit: edits.get(row.message_id) ?? null,
    }
  })
}

/** The topic that a message is in, when it is not in this one any more. */
function elsewhere(db: ReadableDb, narrow: Conversation, id: number): Conversation | null {
  const row = db.get<ConversationRow>(
    `SELECT c.* FROM conversations c JOIN messages m ON m.conversation_id = c.conversation_id
     WHERE m.message_id = ? AND c.kind = 'topic' AND c.conversation_id <> ?`,
    [id, findConversation(db, narrow) ?? -1],
  )
  return row === undefined ? null : conversationFromRow(row)
}

/** A topic that was resolved or taken up again bears another name. */
function resolvedTwin(db: ReadableDb, narrow: Narrow): Conversation | null {
  if (narrow.kind !== 'topic') return null
  const { topic } = narrow
  const twin = { ...narrow, topic: isResolved(topic) ? topicWithoutMark(topic) : resolvedTopic(topic) }
  const isThere =
    db.get('SELECT 1 FROM messages WHERE conversation_id = ? LIMIT 1', [findConversation(db, twin) ?? -1]) !==
    undefined
  return isThere ? twin : null
}

const movingIn = (rows: readonly OutboxRow[]): string[] =>
  rows.flatMap(({ action, state }) =>
    action?.name === 'move-messages' && state !== 'refused' && state !== 'accepted'
      ? [conversationKey({ kind: 'topic', ...action.from })]
      : [],
  )

const contentOf = ({ html, isMeMessage }: OwnWords) => ({ contentHtml: html, isMeMessage })

/** The newest text of each of these messages whose edit waits for the server. */
function waitingEdits(
  db: ReadableDb,
  rows: readonly OutboxRow[],
  ids: readonly number[],
): Map<number, WaitingEdit> {
  const looks = ownWords(db)
  return new Map(
    rows.flatMap((row): [number, WaitingEdit][] =>
      row.action?.name === 'edit-message' && ids.includes(row.action.messageId)
        ? [
            [
              row.action.messageId,
              {
                localId: row.localId,
                contentMarkdown: row.action.content,
                ...contentOf(looks(row.action.content)),
                previousMarkdown: row.action.previousContent,
                state: sendStateOf(row, isBehind(rows, row)),
              },
            ],
          ]
        : [],
    ),
  )
}

const namesShown = 12

function reactionsOf(
  context: QueryContext,
  ids: readonly number[],
  outbox: readonly OutboxRow[],
): Map<number, ReactionGroup[]> {
  const { db, ownUserId } = context
  const rows = db.all<{
    message_id: number
    emoji_type: ReactionGroup['emoji']['type']
    emoji_code: string
    emoji_name: string
    user_ids: string
    image: string | null
  }>(
    `SELECT r.message_id, r.emoji_type, r.emoji_code, min(r.emoji_name) AS emoji_name,
       json_group_array(r.user_id) AS user_ids, min(e.source_url) AS image
     FROM reactions r
     LEFT JOIN realm_emoji e ON r.emoji_type <> 'unicode_emoji' AND e.emoji_id = r.emoji_code
     WHERE r.message_id IN (SELECT value FROM json_each(?))
     GROUP BY r.message_id, r.emoji_type, r.emoji_code ORDER BY count(*) DESC, r.emoji_code LIMIT 5000`,
    [JSON.stringify(ids)],
  )
  if (rows.length === 0) return new Map()
  const waiting = new Set(
    outbox.flatMap(({ action, state }) =>
      action?.name === 'react' && state !== 'refused'
        ? [`${action.messageId}:${action.emoji.type}:${action.emoji.code}`]
        : [],
    ),
  )
  const groups = new Map<number, ReactionGroup[]>()
  for (const row of rows) {
    // Made by SQLite from a column of integers.
    const userIds = (JSON.parse(row.user_ids) as number[]).map(userId)
    const isMine = userIds.includes(ownUserId)
    const others = userIds.filter((id) => id !== ownUserId).slice(0, namesShown)
    const group: ReactionGroup = {
      emoji: { name: row.emoji_name, code: row.emoji_code, type: row.emoji_type },
      userIds,
      names: [...(isMine ? ['you'] : []), ...others.map((id) => userName(db, id))].slice(0, namesShown),
      isMine,
      isWaiting: waiting.has(`${row.message_id}:${row.emoji_type}:${row.emoji_code}`),
      ...(row.image === null ? {} : { imageUrl: row.image }),
    }
    const list = groups.get(row.message_id)
    if (list === undefined) groups.set(row.message_id, [group])
    else list.push(group)
  }
  return groups
}

function waitingIn(context: QueryContext, narrow: Narrow, rows: readonly OutboxRow[]): WaitingMessage[] {
  const looks = ownWords(context.db)
  return rows.flatMap((row): WaitingMessage[] => {
    const { action } = row
    if (action?.name !== 'send-message') return []
    const subject = {
      id: messageId(Number.MAX_SAFE_INTEGER),
      conversation: action.conversation,
      isMentioned: false,
      isStarred: false,
      senderId: context.ownUserId,
      hasReactions: false,
      isMuted: false,
    }
    if (!contains(narrow, subject)) return []
    return [
      {
        localId: row.localId,
        conversation: action.conversation,
        recipient: labelOf(context, action.conversation),
        contentMarkdown: action.content,
        ...contentOf(looks(action.content)),
        writtenAt: row.createdAt,
        state: sendStateOf(row, isBehind(rows, row)),
      },
    ]
  })
}

/** Whether an earlier row of its lane has to go first. */
export function isBehind(rows: readonly OutboxRow[], row: OutboxRow): boolean {
  return rows.some(
    (other) => other.lane === row.lane && other.sequence < row.sequence && other.state !== 'accepted',
  )
}
