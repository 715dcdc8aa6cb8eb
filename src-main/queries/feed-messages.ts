import { messageId, userId } from '../../src-shared/ids.ts'
import type { FeedMessage } from '../../src-shared/model/message.ts'
import type { OutboxRow } from '../store/outbox.ts'
import type { QueryContext } from './context.ts'
import { waitingEdits } from './feed-outbox.ts'
import { placeColumns, placesOf, type PlacedRow } from './labels.ts'
import { reactionsOf } from './reaction-groups.ts'
import { sendersOf } from './senders.ts'
import { widgetsOf } from './widgets.ts'

/** A row with `messageColumns`; flags are 0 or 1. */
export interface MessageRow extends PlacedRow {
  message_id: number
  sender_id: number
  sender_name: string
  sent_at: number
  edited_at: number | null
  moved_at: number | null
  content_html: string
  is_me_message: number
  is_unread: number
  is_starred: number
  is_mentioned: number
  is_collapsed: number
}

/**
 * SQL: `MessageRow`'s columns, of messages `m` and their conversations `c`. Its parameter is the first unread message of
 * the narrow: no older one is looked for among the unread ones. (While a registration still writes what is unread, one may
 * therefore seem read.) Senders are looked up later, each once.
 */
export const messageColumns = `m.message_id, ${placeColumns}, m.sender_id, m.sender_name, m.sent_at, m.edited_at, m.moved_at,
  m.content_html, m.is_me_message,
  m.message_id >= ? AND EXISTS (SELECT 1 FROM unread WHERE message_id = m.message_id) AS is_unread,
  m.is_starred, m.is_mentioned, m.is_collapsed`

/** Messages as a feed shows them, with what waits in the outbox to be changed of them. */
export function messagesOf(
  context: QueryContext,
  rows: readonly MessageRow[],
  outbox: readonly OutboxRow[],
): FeedMessage[] {
  const placeOf = placesOf(context, rows)
  const sender = sendersOf(context, rows)
  const reactions = reactionsOf(
    context,
    rows.map((row) => row.message_id),
    outbox,
  )
  const edits = waitingEdits(context.db, outbox, rows)
  const widgets = widgetsOf(context, rows, outbox)
  return rows.map((row): FeedMessage => ({
    id: messageId(row.message_id),
    ...placeOf(row),
    senderId: userId(row.sender_id),
    ...sender(row),
    sentAt: row.sent_at,
    editedAt: row.edited_at,
    movedAt: row.moved_at,
    contentHtml: row.content_html,
    isUnread: row.is_unread === 1,
    isStarred: row.is_starred === 1,
    isMentioned: row.is_mentioned === 1,
    isMeMessage: row.is_me_message === 1,
    isCollapsed: row.is_collapsed === 1,
    reactions: reactions.get(row.message_id) ?? [],
    widget: widgets.get(row.message_id) ?? null,
    waitingEdit: edits.get(row.message_id) ?? null,
  }))
}
