import type { Reminder } from '../../src-shared/model/later.ts'
import { messageId } from '../../src-shared/ids.ts'
import { shownNote } from '../../src-shared/model/reminder-note.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { objectsOf } from '../store/objects.ts'
import { outboxRows } from '../store/outbox.ts'
import { closedTextFromHtml } from '../store/html-text.ts'
import { beginningOf } from './excerpt.ts'
import type { QueryContext } from './context.ts'
import { labelOf } from './labels.ts'
import { isBehind, sendStateOf } from './send-state.ts'

const excerptLength = 200

/** Reminders on the server and those that still wait here, the next one first. */
export function reminders(context: QueryContext): Reminder[] {
  const rows = outboxRows(context.db, 1_000).filter(({ state }) => state !== 'accepted')
  const changes = new Map(
    rows.flatMap((row) =>
      row.action?.name === 'change-reminder' ? [[row.action.reminderId, row] as const] : [],
    ),
  )
  const known = objectsOf(context.db, 'reminder').flatMap((reminder): Reminder[] => {
    const { reminder_id: id, reminder_target_message_id: target } = reminder
    const { scheduled_delivery_timestamp: at, failed } = reminder
    if (typeof id !== 'number' || typeof target !== 'number' || typeof at !== 'number') return []
    const change = changes.get(id)
    return [
      {
        reminderId: id,
        localId: change?.localId ?? null,
        state: change === undefined ? null : sendStateOf(change, isBehind(rows, change)),
        ...messageOf(context, target),
        note: shownNote(reminder),
        remindAt: at * 1_000,
        hasFailed: failed === true,
      },
    ]
  })
  const waiting = rows.flatMap((row): Reminder[] => {
    if (row.action?.name !== 'remind-me') return []
    const { messageId: target, note, at } = row.action
    return [
      {
        reminderId: null,
        localId: row.localId,
        state: sendStateOf(row, isBehind(rows, row)),
        ...messageOf(context, target),
        note,
        remindAt: at,
        hasFailed: false,
      },
    ]
  })
  // A changed time makes a new reminder on the server, and for a moment both are known.
  const isReplaced = (one: Reminder) =>
    one.state !== null &&
    known.some(
      ({ reminderId, messageId: target, remindAt }) =>
        reminderId !== one.reminderId && target === one.messageId && remindAt === one.remindAt,
    )
  return [...known.filter((one) => !isReplaced(one)), ...waiting].sort((a, b) => a.remindAt - b.remindAt)
}

type ShownMessage = Pick<Reminder, 'messageId' | 'conversation' | 'label' | 'senderName' | 'text'>

interface MessageRow extends ConversationRow {
  readonly sender_name: string
  readonly content_html: string
}

/** The message of a reminder, as far as it is on this device. */
function messageOf(context: QueryContext, id: number): ShownMessage {
  const row = context.db.get<MessageRow>(
    `SELECT c.*, coalesce(u.full_name, m.sender_name) AS sender_name, m.content_html FROM messages m
     JOIN conversations c ON c.conversation_id = m.conversation_id
     LEFT JOIN users u ON u.user_id = m.sender_id WHERE m.message_id = ?`,
    [id],
  )
  if (row === undefined)
    return { messageId: messageId(id), conversation: null, label: null, senderName: null, text: '' }
  const conversation = conversationFromRow(row)
  return {
    messageId: messageId(id),
    conversation,
    label: labelOf(context, conversation),
    senderName: row.sender_name,
    text: beginningOf(closedTextFromHtml(context.db, row.content_html.slice(0, 4_000)), excerptLength),
  }
}
