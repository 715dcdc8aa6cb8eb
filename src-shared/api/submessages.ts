import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A step in the life of a poll or a to-do list: added to a message, by anybody who reads it. */
export const apiSubmessage = z.looseObject({
  message_id: z.int(),
  submessage_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  /** JSON. */
  content: z.string(),
})

const reportTypes = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const

const report = z.object({
  message_id: z.int(),
  report_type: z.enum(reportTypes),
  /** Needed with `other`. */
  description: z.string().optional(),
})

/** What is said about messages beside the messages themselves. */
export const submessages = {
  sendSubmessage: endpoint({
    method: 'POST',
    path: '/submessage',
    input: z.object({ message_id: z.int(), msg_type: z.string(), content: z.string() }),
    output: z.looseObject({}),
  }),
  reportMessage: endpoint({
    method: 'POST',
    path: '/messages/{message_id}/report',
    since: 382,
    input: report,
    output: z.looseObject({}),
  }),
  /** The same, as the change log of the interface spells it. */
  reportOneMessage: endpoint({
    method: 'POST',
    path: '/message/{message_id}/report',
    since: 382,
    input: report,
    output: z.looseObject({}),
  }),
}
