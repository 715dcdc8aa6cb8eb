import type { ActionName } from '../../src-shared/bridge/actions.ts'
import type { DirectSummary, Sidebar } from '../../src-shared/bridge/queries.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { settingValue } from '../store/account-settings.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import {
  channelFromRow,
  channelSelect,
  organizationRequiresTopic,
  type ChannelRow,
} from './channel-summary.ts'
import { personById, type QueryContext } from './labels.ts'
import { unreadTotals } from './unread-totals.ts'

/** From so many channels on, those where nobody writes are set apart unasked. */
const manyChannels = 30
/** How many direct conversations the sidebar lists; those with unread messages come on top of it. */
const directsShown = 8

/** What the sidebar shows. Bounded by what a person subscribed to and by the direct conversations above. */
export function sidebar(context: QueryContext): Sidebar {
  const { db, ownUserId } = context
  const count = (sql: string) => db.get<{ n: number }>(sql)?.n ?? 0
  const waitingOf = (action: ActionName) =>
    count(`SELECT count(*) AS n FROM outbox WHERE name = '${action}' AND state <> 'accepted'`)
  // Left to itself, SQLite goes through the newest topics until it has met enough directs.
  const directs = db
    .all<ConversationRow>(
      `SELECT * FROM (SELECT * FROM conversations INDEXED BY conversations_unread_directs
         WHERE kind = 'direct' AND unread_count > 0 AND newest_message_id > 0
         ORDER BY newest_message_id DESC LIMIT 40)
       UNION ALL
       SELECT * FROM (SELECT * FROM conversations INDEXED BY conversations_direct
         WHERE kind = 'direct' AND unread_count = 0 AND newest_message_id > 0
         ORDER BY newest_message_id DESC LIMIT ${directsShown})`,
    )
    .filter((row, index) => row.unread_count > 0 || index < directsShown)
    .sort((a, b) => b.newest_message_id - a.newest_message_id)
    .map((row): DirectSummary => {
      const conversation = conversationFromRow(row)
      const ids =
        conversation.kind === 'direct' && conversation.userIds.length > 0 ? conversation.userIds : [ownUserId]
      return { conversation, people: ids.map((id) => personById(context, id)), unreadCount: row.unread_count }
    })
  const requiresTopic = organizationRequiresTopic(db)
  const rows = db.all<ChannelRow>(
    `${channelSelect} WHERE is_subscribed = 1 AND is_archived = 0 ORDER BY folded_name LIMIT 5000`,
  )
  const folders = db.all<{ folder_id: number; name: string }>(
    'SELECT folder_id, name FROM channel_folders WHERE is_archived = 0 ORDER BY position, folder_id',
  )
  const group = (key: string, name: string, belongs: (row: ChannelRow) => boolean) => ({
    key,
    name,
    channels: rows
      .filter(belongs)
      // Muted channels come last, as they add nothing.
      .sort((a, b) => a.is_muted - b.is_muted)
      .map((row) => channelFromRow(row, requiresTopic)),
  })
  const known = new Set(folders.map(({ folder_id }) => folder_id))
  const hidesInactive =
    settingValue(db, 'inactiveChannels') === 'always' ||
    (settingValue(db, 'inactiveChannels') === 'automatic' && rows.length >= manyChannels)
  const isPlain = (row: ChannelRow) => row.is_pinned === 0 && !isInactive(row)
  const isInactive = (row: ChannelRow) =>
    hidesInactive && row.is_pinned === 0 && row.is_recently_active === 0 && row.unread_count === 0
  const hasFolder = (row: ChannelRow) => row.folder_id !== null && known.has(row.folder_id)
  const byFolder = settingValue(db, 'channelFolders')
  const groups = [
    group('pinned', t.mainWindow.sidebar.folders.pinned, (row) => row.is_pinned === 1),
    ...(byFolder ? folders : []).map(({ folder_id, name }) =>
      group(`folder-${folder_id}`, name, (row) => isPlain(row) && row.folder_id === folder_id),
    ),
    group(
      'others',
      byFolder && folders.length > 0
        ? t.mainWindow.sidebar.folders.others
        : t.mainWindow.sidebar.folders.channels,
      (row) => isPlain(row) && !(byFolder && hasFolder(row)),
    ),
    group('inactive', t.mainWindow.sidebar.folders.inactive, isInactive),
  ].filter(({ channels }) => channels.length > 0)
  const unreadDirect = count(`SELECT coalesce(sum(unread_count), 0) AS n FROM conversations
    WHERE unread_count > 0 AND kind = 'direct'`)
  return {
    inboxCount: unreadDirect + rows.reduce((sum, row) => sum + row.unread_count, 0),
    mentionCount: unreadTotals(db).mentions,
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
      count(`SELECT count(*) AS n FROM drafts WHERE is_deleted = 0 AND state = 'conflict'`) +
      count(
        `SELECT count(*) AS n FROM outbox WHERE state = 'refused' OR (state = 'unsure' AND reason = 'undecided')`,
      ),
    directs,
    folders: groups,
  }
}
