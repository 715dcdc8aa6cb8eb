import type { Handlers } from '../../src-shared/api/index.ts'
import { targetFrom } from '../messages/message-target.ts'
import { normalizeContent } from '../messages/messages.ts'
import { accessibleMessage } from '../messages/message-pages.ts'
import { assertCanPost } from '../permissions/channels.ts'
import { apiReminder, remindersOf, type ReminderRow } from '../messages/reminders.ts'
import {
  apiScheduled,
  peopleOf,
  scheduledOf,
  scheduledRow,
  type ScheduledRow,
} from '../messages/scheduled-messages.ts'
import { badRequest, notFound } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestNote = 1_000

export const later: Pick<
  Handlers<HandlerContext>,
  | 'getScheduledMessages'
  | 'createScheduledMessage'
  | 'editScheduledMessage'
  | 'deleteScheduledMessage'
  | 'getReminders'
  | 'createReminder'
  | 'deleteReminder'
> = {
  getScheduledMessages: (_input, { workspace, user }) => ({
    scheduled_messages: scheduledOf(workspace, user),
  }),
  createScheduledMessage: (input, { workspace, user, client }) => {
    const place = placeFrom(workspace, user, input)
    const content = normalizeContent(input.content)
    assertFuture(workspace, input.scheduled_delivery_timestamp)
    const { lastId } = workspace.db.run(
      `INSERT INTO scheduled_messages (user_id, channel_id, user_ids, topic, content, client, deliver_at, read_by_sender)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      user.user_id,
      place.channel_id,
      place.user_ids,
      place.topic,
      content,
      client,
      input.scheduled_delivery_timestamp,
      (input.read_by_sender ?? user.bot_type === null) ? 1 : 0,
    )
    const row = own(workspace, user, lastId)
    workspace.publish([user.user_id], {
      type: 'scheduled_messages',
      op: 'add',
      scheduled_messages: [apiScheduled(workspace, user, row)],
    })
    workspace.alarm.ring()
    return { scheduled_message_id: lastId }
  },
  editScheduledMessage: (input, { workspace, user }) => {
    const row = own(workspace, user, input.scheduled_message_id)
    const { type, to, topic, content, scheduled_delivery_timestamp: at, read_by_sender: isRead } = input
    if ([type, to, topic, content, at, isRead].every((one) => one === undefined))
      throw badRequest('Nothing to change')
    if (type !== undefined && to === undefined)
      throw badRequest('Recipient required when updating type of scheduled message.')
    if (at !== undefined) assertFuture(workspace, at)
    else if (row.has_failed === 1) throw badRequest('Scheduled delivery time must be in the future.')
    const place =
      to === undefined && topic === undefined
        ? row
        : placeFrom(workspace, user, {
            type: type ?? (row.channel_id === null ? 'direct' : 'channel'),
            to: to ?? (row.channel_id === null ? peopleOf(row) : row.channel_id),
            topic: topic ?? (row.channel_id === null ? undefined : row.topic),
          })
    workspace.db.run(
      `UPDATE scheduled_messages SET channel_id = ?, user_ids = ?, topic = ?, content = ?, deliver_at = ?,
         read_by_sender = ?, has_failed = 0 WHERE scheduled_id = ?`,
      place.channel_id,
      place.user_ids,
      place.topic,
      content === undefined ? row.content : normalizeContent(content),
      at ?? row.deliver_at,
      isRead === undefined ? row.read_by_sender : isRead ? 1 : 0,
      row.scheduled_id,
    )
    workspace.publish([user.user_id], {
      type: 'scheduled_messages',
      op: 'update',
      scheduled_message: apiScheduled(workspace, user, own(workspace, user, row.scheduled_id)),
    })
    workspace.alarm.ring()
    return {}
  },
  deleteScheduledMessage: ({ scheduled_message_id }, { workspace, user }) => {
    own(workspace, user, scheduled_message_id)
    workspace.db.run('DELETE FROM scheduled_messages WHERE scheduled_id = ?', scheduled_message_id)
    workspace.publish([user.user_id], { type: 'scheduled_messages', op: 'remove', scheduled_message_id })
    return {}
  },
  getReminders: (_input, { workspace, user }) => ({ reminders: remindersOf(workspace, user) }),
  createReminder: (input, { workspace, user }) => {
    const { message_id } = accessibleMessage(workspace, user, input.message_id)
    assertFuture(workspace, input.scheduled_delivery_timestamp)
    const note = (input.note ?? '').trim()
    if ([...note].length > longestNote) throw badRequest(`A note may have ${longestNote} characters at most.`)
    if (note.includes('\0')) throw badRequest('A note must not contain null bytes.')
    const { lastId } = workspace.db.run(
      'INSERT INTO reminders (user_id, message_id, note, deliver_at) VALUES (?, ?, ?, ?)',
      user.user_id,
      message_id,
      note,
      input.scheduled_delivery_timestamp,
    )
    const row: ReminderRow = {
      reminder_id: lastId,
      user_id: user.user_id,
      message_id,
      note,
      deliver_at: input.scheduled_delivery_timestamp,
    }
    workspace.publish([user.user_id], {
      type: 'reminders',
      op: 'add',
      reminders: [apiReminder(workspace, user, row)],
    })
    workspace.alarm.ring()
    return { reminder_id: lastId }
  },
  deleteReminder: ({ reminder_id }, { workspace, user }) => {
    const { changes } = workspace.db.run(
      'DELETE FROM reminders WHERE reminder_id = ? AND user_id = ?',
      reminder_id,
      user.user_id,
    )
    if (changes === 0) throw notFound('Reminder does not exist')
    workspace.publish([user.user_id], { type: 'reminders', op: 'remove', reminder_id })
    return {}
  },
}

type Place = Pick<ScheduledRow, 'channel_id' | 'user_ids' | 'topic'>

/** The target of a message. That the person may send there now does not mean that they may later. */
function placeFrom(
  workspace: Workspace,
  user: UserRow,
  input: { type: string; to: number | readonly number[]; topic?: string | undefined },
): Place {
  const isChannel = input.type === 'stream' || input.type === 'channel'
  if (isChannel !== (typeof input.to === 'number'))
    throw badRequest(
      isChannel ? 'A channel message goes to one channel.' : 'A direct message goes to a list of people.',
    )
  const target = targetFrom(workspace, user, input.type, input.to, input.topic)
  if (target.kind === 'channel') assertCanPost(workspace.db, user, target.channel)
  return target.kind === 'channel'
    ? { channel_id: target.channel.channel_id, user_ids: null, topic: target.topic }
    : { channel_id: null, user_ids: JSON.stringify(target.userIds), topic: '' }
}

function assertFuture(workspace: Workspace, timestamp: number): void {
  if (timestamp <= workspace.now()) throw badRequest('Scheduled delivery time must be in the future.')
}

function own(workspace: Workspace, user: UserRow, id: number): ScheduledRow {
  const row = scheduledRow(workspace, id)
  if (row === undefined || row.user_id !== user.user_id) throw notFound('Scheduled message does not exist')
  return row
}
