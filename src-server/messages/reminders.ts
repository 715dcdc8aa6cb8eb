import type { ApiReminder } from '../../src-shared/api/later.ts'
import { render } from '../markdown/render.ts'
import type { MessageRow } from './messages.ts'
import { apiMessages } from './shown-messages.ts'
import { accessibleMessage } from './message-pages.ts'
import { notify } from './notification-bot.ts'
import { ServiceError } from '../service-error.ts'
import { realmValue, userById, type UserRow, type Workspace } from '../workspace.ts'

/** A row of the table of reminders; times are epoch seconds. */
export interface ReminderRow {
  readonly reminder_id: number
  readonly user_id: number
  readonly message_id: number
  readonly note: string
  readonly deliver_at: number
}

/** A person's reminders, the next one first. */
export function remindersOf(workspace: Workspace, user: UserRow): ApiReminder[] {
  return workspace.db
    .all<ReminderRow>(
      'SELECT * FROM reminders WHERE user_id = ? ORDER BY deliver_at, reminder_id',
      user.user_id,
    )
    .map((row) => apiReminder(workspace, user, row))
}

/** A reminder as the API shows it to its owner. */
export function apiReminder(workspace: Workspace, user: UserRow, row: ReminderRow): ApiReminder {
  const content = contentOf(workspace, user, row)
  return {
    reminder_id: row.reminder_id,
    type: 'private',
    to: [user.user_id],
    content,
    rendered_content: render(workspace, user, content).html,
    scheduled_delivery_timestamp: row.deliver_at,
    failed: false,
    reminder_target_message_id: row.message_id,
  }
}

/** Delivers a reminder exactly once: the transaction that writes its message also deletes the reminder. */
export function deliverReminder(workspace: Workspace, row: ReminderRow): void {
  const { db } = workspace
  const takeOff = () => {
    db.run('DELETE FROM reminders WHERE reminder_id = ?', row.reminder_id)
  }
  const user = userById(db, row.user_id)
  if (user?.is_active !== 1) {
    takeOff()
    return
  }
  notify(workspace, user, contentOf(workspace, user, row), takeOff)
  workspace.publish([user.user_id], { type: 'reminders', op: 'remove', reminder_id: row.reminder_id })
}

/** The text of the reminder: the message's place and beginning, as far as the person may still read it. */
function contentOf(workspace: Workspace, user: UserRow, row: ReminderRow): string {
  const note = row.note === '' ? '' : `\n\n${row.note}`
  const message = readableMessage(workspace, user, row.message_id)
  if (message === undefined) return `You wanted to come back to a message that you can no longer read.${note}`
  const sender = userById(workspace.db, message.sender_id)
  const quoted = message.content.replace(/`{3,}/g, "'''")
  return [
    `You wanted to come back to ${placeOf(workspace, user, message)}:${note}`,
    '',
    `@_**${sender?.full_name ?? ''}|${message.sender_id}** wrote:`,
    '```quote',
    [...quoted].slice(0, 1_000).join(''),
    '```',
  ].join('\n')
}

function placeOf(workspace: Workspace, user: UserRow, message: MessageRow): string {
  const [shown] = apiMessages(workspace, user, [message.message_id], {
    applyMarkdown: false,
    allowEmptyTopic: true,
  })
  if (shown === undefined || message.channel_id === null) return 'this direct message'
  const topic = message.topic === '' ? realmValue(workspace.db, 'empty_topic_display_name') : message.topic
  return `this message in #**${String(shown.display_recipient)}>${topic}@${message.message_id}**`
}

function readableMessage(workspace: Workspace, user: UserRow, id: number): MessageRow | undefined {
  try {
    return accessibleMessage(workspace, user, id)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
