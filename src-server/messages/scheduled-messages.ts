import type { ApiScheduledMessage } from '../../src-shared/api/later.ts'
import { render } from '../markdown/render.ts'
import { sendMessage, type Target } from './messages.ts'
import { notify } from './notification-bot.ts'
import { knownPeople } from '../people/user-access.ts'
import { canAddressChannel } from '../permissions/channels.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { channelById, userById, type UserRow, type Workspace } from '../workspace.ts'

/** A row of the table of scheduled messages; it has a channel or a list of people (JSON), times are epoch seconds. */
export interface ScheduledRow {
  readonly scheduled_id: number
  readonly user_id: number
  readonly channel_id: number | null
  readonly user_ids: string | null
  readonly topic: string
  readonly content: string
  readonly client: string
  readonly deliver_at: number
  readonly read_by_sender: number
  readonly has_failed: number
}

/** A person's scheduled messages, the next one first. */
export function scheduledOf(workspace: Workspace, user: UserRow): ApiScheduledMessage[] {
  return workspace.db
    .all<ScheduledRow>(
      'SELECT * FROM scheduled_messages WHERE user_id = ? ORDER BY deliver_at, scheduled_id',
      user.user_id,
    )
    .map((row) => apiScheduled(workspace, user, row))
}

/** A scheduled message, as the API shows it to its author. */
export function apiScheduled(workspace: Workspace, user: UserRow, row: ScheduledRow): ApiScheduledMessage {
  const others = peopleOf(row).filter((id) => id !== user.user_id)
  return {
    scheduled_message_id: row.scheduled_id,
    ...(row.channel_id === null
      ? { type: 'private' as const, to: others.length === 0 ? [user.user_id] : others }
      : { type: 'stream' as const, to: row.channel_id, topic: row.topic }),
    content: row.content,
    rendered_content: render(workspace, user, row.content).html,
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.has_failed === 1,
  }
}

/** The people in the conversation of a scheduled direct message, with its author. */
// The handlers of scheduled messages wrote it.
export const peopleOf = (row: ScheduledRow): number[] => JSON.parse(row.user_ids ?? '[]') as number[]

/** The scheduled message with this id, whoever its author is. */
export function scheduledRow(workspace: Workspace, id: number): ScheduledRow | undefined {
  return workspace.db.get<ScheduledRow>('SELECT * FROM scheduled_messages WHERE scheduled_id = ?', id)
}

/**
 * Sends a scheduled message exactly once: the transaction that writes the message also deletes it from the list. If it
 * cannot be sent, it stays and is marked as failed, and its author is told why.
 */
export function deliverScheduled(workspace: Workspace, row: ScheduledRow): void {
  const { db } = workspace
  const sender = userById(db, row.user_id)
  const id = { scheduled_message_id: row.scheduled_id }
  const takeOff = () => {
    db.run('DELETE FROM scheduled_messages WHERE scheduled_id = ?', row.scheduled_id)
  }
  if (sender === undefined) {
    takeOff()
    return
  }
  try {
    if (sender.is_active === 0) throw badRequest('Account is deactivated')
    sendMessage(workspace, {
      sender,
      target: targetOf(workspace, sender, row),
      content: row.content,
      client: row.client,
      readBySender: row.read_by_sender === 1,
      alongside: takeOff,
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    fail(workspace, sender, row, error.message)
    return
  }
  workspace.publish([row.user_id], { type: 'scheduled_messages', op: 'remove', ...id })
}

function targetOf(workspace: Workspace, sender: UserRow, row: ScheduledRow): Target {
  if (row.channel_id !== null) {
    const channel = channelById(workspace.db, row.channel_id)
    if (channel === undefined || !canAddressChannel(workspace.db, sender, channel))
      throw badRequest('Invalid channel ID')
    return { kind: 'channel', channel, topic: row.topic }
  }
  const userIds = peopleOf(row)
  const known = knownPeople(workspace.db, sender)
  for (const id of userIds) {
    const person = known(id)
    if (person?.is_active !== 1)
      throw badRequest(`${person?.full_name ?? 'Somebody'} is no longer using this organization.`)
  }
  return { kind: 'direct', userIds }
}

function fail(workspace: Workspace, sender: UserRow, row: ScheduledRow, reason: string): void {
  const mark = () => {
    workspace.db.run('UPDATE scheduled_messages SET has_failed = 1 WHERE scheduled_id = ?', row.scheduled_id)
  }
  if (sender.is_active === 0) mark()
  else {
    const text = `The message you scheduled could not be sent: ${reason}\n\nIt is kept among your scheduled messages.`
    notify(workspace, sender, text, mark)
  }
  workspace.publish([sender.user_id], {
    type: 'scheduled_messages',
    op: 'update',
    scheduled_message: apiScheduled(workspace, sender, { ...row, has_failed: 1 }),
  })
}
