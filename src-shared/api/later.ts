import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { messageType } from './messages.ts'
import { wireWholeSeconds } from './wire.ts'

const timestamps = {
  rendered_content: z.string().default(''),
  /** UNIX seconds. */
  scheduled_delivery_timestamp: wireWholeSeconds,
  /** It could not be sent when its time came; it stays until somebody changes or deletes it. */
  failed: z.boolean().default(false),
}

/** A message that the server sends at a set time. */
export const apiScheduledMessage = z.looseObject({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  /** The channel's id, or the ids of the other people of a conversation. */
  to: z.union([z.int(), z.array(z.int())]),
  topic: z.string().optional(),
  content: z.string(),
  ...timestamps,
})
export type ApiScheduledMessage = z.output<typeof apiScheduledMessage>

/** A message that the server brings back at a set time. */
export const apiReminder = z.looseObject({
  reminder_id: z.int(),
  type: z.literal('private'),
  to: z.array(z.int()),
  content: z.string(),
  reminder_target_message_id: z.int(),
  ...timestamps,
})
export type ApiReminder = z.output<typeof apiReminder>

export const scheduledMessageEvent = z.discriminatedUnion('op', [
  z.looseObject({ op: z.literal('add'), scheduled_messages: z.array(apiScheduledMessage) }),
  z.looseObject({ op: z.literal('update'), scheduled_message: apiScheduledMessage }),
  z.looseObject({ op: z.literal('remove'), scheduled_message_id: z.int() }),
])

export const reminderEvent = z.discriminatedUnion('op', [
  z.looseObject({ op: z.literal('add'), reminders: z.array(apiReminder) }),
  z.looseObject({ op: z.literal('remove'), reminder_id: z.int() }),
])

const to = z.union([z.int(), z.array(z.int())])

/** Scheduled messages, and reminders of messages. */
export const later = {
  getScheduledMessages: endpoint({
    method: 'GET',
    path: '/scheduled_messages',
    since: 173,
    input: z.object({}),
    output: z.looseObject({ scheduled_messages: z.array(apiScheduledMessage) }),
  }),
  createScheduledMessage: endpoint({
    method: 'POST',
    path: '/scheduled_messages',
    since: 179,
    input: z.object({
      type: messageType,
      to,
      topic: z.string().optional(),
      content: z.string(),
      scheduled_delivery_timestamp: wireWholeSeconds,
      read_by_sender: z.boolean().optional(),
    }),
    output: z.looseObject({ scheduled_message_id: z.int() }),
  }),
  editScheduledMessage: endpoint({
    method: 'PATCH',
    path: '/scheduled_messages/{scheduled_message_id}',
    since: 184,
    input: z.object({
      scheduled_message_id: z.int(),
      type: messageType.optional(),
      to: to.optional(),
      topic: z.string().optional(),
      content: z.string().optional(),
      scheduled_delivery_timestamp: wireWholeSeconds.optional(),
      read_by_sender: z.boolean().optional(),
    }),
    output: z.looseObject({}),
  }),
  deleteScheduledMessage: endpoint({
    method: 'DELETE',
    path: '/scheduled_messages/{scheduled_message_id}',
    since: 173,
    input: z.object({ scheduled_message_id: z.int() }),
    output: z.looseObject({}),
  }),
  getReminders: endpoint({
    method: 'GET',
    path: '/reminders',
    since: 399,
    input: z.object({}),
    output: z.looseObject({ reminders: z.array(apiReminder) }),
  }),
  createReminder: endpoint({
    method: 'POST',
    path: '/reminders',
    since: 381,
    input: z.object({
      message_id: z.int(),
      scheduled_delivery_timestamp: wireWholeSeconds,
      note: z.string().optional(),
    }),
    output: z.looseObject({ reminder_id: z.int() }),
  }),
  deleteReminder: endpoint({
    method: 'DELETE',
    path: '/reminders/{reminder_id}',
    since: 399,
    input: z.object({ reminder_id: z.int() }),
    output: z.looseObject({}),
  }),
}
