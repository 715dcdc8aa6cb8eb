import type { ActionName } from '../../src-shared/bridge/actions.ts'
import type { UserId } from '../../src-shared/ids.ts'
import {
  conversationKey,
  directConversation,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import type { DirectList, OpenDirect, Sidebar } from '../../src-shared/model/sidebar.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { settingValue } from '../store/account-settings.ts'
import type { ReadableDb } from '../store/database.ts'
import { stuckSql } from '../store/outbox.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import {
  channelFromRow,
  listedChannelSelect,
  organizationTopics,
  type ListedChannelRow,
} from './channel-summary.ts'
import type { QueryContext } from './context.ts'
import { byName, peopleById } from './labels.ts'
import { mentionTotal } from './unread-totals.ts'

/** With this many channels or more, inactive ones are set apart by default. */
const manyChannels = 30
/** How many direct conversations the sidebar lists at first, and up to how many if they have unread messages. */
const directsAtFirst = 8
const unreadDirectsAtFirst = 40
/** How many further ones are counted. */
const directsCounted = 500

/**
 * The content of the sidebar. Bounded by the person's subscriptions and by the limit of direct conversations; `first`
 * limits the channels from the top.
 */
export function sidebar(context: QueryContext, first = Infinity): Sidebar {
  const { db } = context
  const count = (sql: string) => db.get<{ n: number }>(sql)?.n ?? 0
  const waitingOf = (action: ActionName) =>
    count(`SELECT count(*) AS n FROM outbox WHERE name = '${action}' AND state <> 'accepted'`)
  const groups = channelGroups(db)
  let left = first
  const list = directList(context)
  const unreadDirect = list.directs.reduce(
    (sum, { unreadCount }) => sum + unreadCount,
    list.furtherDirects.unreadCount,
  )
  return {
    inboxCount:
      unreadDirect +
      groups.reduce(
        (sum, { channels }) => sum + channels.reduce((all, { unreadCount }) => all + unreadCount, 0),
        0,
      ),
    mentionCount: mentionTotal(db),
    starredCount: count('SELECT count(*) AS n FROM messages WHERE is_starred = 1'),
    draftCount: count('SELECT count(*) AS n FROM drafts WHERE is_deleted = 0'),
    outboxCount: count(
      `SELECT count(*) AS n FROM outbox WHERE name = 'send-message' AND state IN ('waiting', 'sending', 'unsure')`,
    ),
    scheduledCount:
      count(`SELECT count(*) AS n FROM objects WHERE kind = 'scheduled-message'`) +
      waitingOf('schedule-message'),
    reminderCount:
      count(`SELECT count(*) AS n FROM objects WHERE kind = 'reminder'`) + waitingOf('remind-me'),
    needsYouCount:
      count(
        `SELECT count(*) AS n FROM drafts WHERE is_deleted = 0 AND (state = 'conflict' OR refusal IS NOT NULL)`,
      ) + count(`SELECT count(*) AS n FROM outbox WHERE ${stuckSql}`),
    ...list,
    folders: groups.map((group) => {
      const channels = group.channels.slice(0, left)
      left -= channels.length
      const cut = group.channels.length - channels.length
      return { ...group, channels, inactiveCount: Math.max(0, group.inactiveCount - cut) }
    }),
  }
}

/** The direct conversations of the sidebar: `limit`, and more only if they have unread messages. */
export function directList(context: QueryContext, limit = directsAtFirst): DirectList {
  const { db } = context
  // Without the hints, SQLite scans the newest topics until it has found enough direct conversations.
  const rows = db
    .all<ConversationRow>(
      `SELECT * FROM (SELECT * FROM conversations INDEXED BY conversations_unread_directs
         WHERE kind = 'direct' AND unread_count > 0 AND newest_message_id > 0
         ORDER BY newest_message_id DESC LIMIT ?)
       UNION ALL
       SELECT * FROM (SELECT * FROM conversations INDEXED BY conversations_direct
         WHERE kind = 'direct' AND unread_count = 0 AND newest_message_id > 0
         ORDER BY newest_message_id DESC LIMIT ?)`,
      [Math.max(unreadDirectsAtFirst, limit), limit],
    )
    .filter((row, index) => row.unread_count > 0 || index < limit)
    .sort((a, b) => b.newest_message_id - a.newest_message_id)
    .map((row) => {
      const conversation = conversationFromRow(row)
      return { conversation, ids: peopleIn(context, conversation), unreadCount: row.unread_count }
    })
  const person = peopleById(
    context,
    rows.flatMap(({ ids }) => ids),
  )
  const unreadTotal = db.get<{ n: number }>(
    `SELECT coalesce(sum(unread_count), 0) AS n FROM conversations WHERE unread_count > 0 AND kind = 'direct'`,
  )
  const counted = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM conversations INDEXED BY conversations_direct
       WHERE kind = 'direct' AND newest_message_id > 0 LIMIT ?)`,
    [rows.length + directsCounted],
  )
  return {
    directs: rows.map(({ conversation, ids, unreadCount }) => ({
      conversation,
      people: ids.map(person).sort(byName),
      unreadCount,
    })),
    furtherDirects: {
      count: (counted?.n ?? 0) - rows.length,
      unreadCount: (unreadTotal?.n ?? 0) - rows.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
    },
  }
}

/** A direct conversation as the sidebar lists it, even if it has no message so far. */
export function openDirect(context: QueryContext, userIds: readonly UserId[]): OpenDirect {
  const conversation = directConversation(userIds, context.ownUserId)
  const row = context.db.get<ConversationRow>('SELECT * FROM conversations WHERE key = ?', [
    conversationKey(conversation),
  ])
  const ids = peopleIn(context, conversation)
  return {
    direct: {
      conversation,
      people: ids.map(peopleById(context, ids)).sort(byName),
      unreadCount: row?.unread_count ?? 0,
    },
    isCounted: (row?.newest_message_id ?? 0) > 0,
  }
}

/** The other people of a direct conversation; oneself if there is nobody else. */
const peopleIn = ({ ownUserId }: QueryContext, conversation: Conversation): readonly UserId[] =>
  conversation.kind === 'direct' && conversation.userIds.length > 0 ? conversation.userIds : [ownUserId]

/** The channels that the person is in, by folder, as the sidebar and the inbox list them. */
export function channelGroups(db: ReadableDb): Sidebar['folders'] {
  const ordinaryTopics = organizationTopics(db)
  const rows = db.all<ListedChannelRow>(
    `${listedChannelSelect} WHERE is_subscribed = 1 AND is_archived = 0 ORDER BY folded_name LIMIT 5000`,
  )
  const folders = db.all<{ folder_id: number; name: string }>(
    'SELECT folder_id, name FROM channel_folders WHERE is_archived = 0 ORDER BY position, folder_id',
  )
  const group = (key: string, name: string, belongs: (row: ListedChannelRow) => boolean) => {
    const own = rows.filter(belongs)
    return {
      key,
      name,
      channels: own
        // Muted channels come last among the active ones, because they add nothing unread.
        .sort((a, b) => Number(isInactive(a)) - Number(isInactive(b)) || a.is_muted - b.is_muted)
        .map((row) => channelFromRow(row, ordinaryTopics)),
      inactiveCount: own.filter(isInactive).length,
    }
  }
  const known = new Set(folders.map(({ folder_id }) => folder_id))
  const hidesInactive =
    settingValue(db, 'inactiveChannels') === 'always' ||
    (settingValue(db, 'inactiveChannels') === 'automatic' && rows.length >= manyChannels)
  const isInactive = (row: ListedChannelRow) =>
    hidesInactive && row.is_pinned === 0 && row.is_recently_active === 0 && row.unread_count === 0
  const hasFolder = (row: ListedChannelRow) => row.folder_id !== null && known.has(row.folder_id)
  const byFolder = settingValue(db, 'channelFolders')
  return [
    group('pinned', t.mainWindow.sidebar.folders.pinned, (row) => row.is_pinned === 1),
    ...(byFolder ? folders : []).map(({ folder_id, name }) =>
      group(`folder-${folder_id}`, name, (row) => row.is_pinned === 0 && row.folder_id === folder_id),
    ),
    group(
      'others',
      byFolder && folders.length > 0
        ? t.mainWindow.sidebar.folders.others
        : t.mainWindow.sidebar.folders.channels,
      (row) => row.is_pinned === 0 && !(byFolder && hasFolder(row)),
    ),
  ].filter(({ channels }) => channels.length > 0)
}
