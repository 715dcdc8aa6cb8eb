import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** A submessage: one step of a poll or a to-do list, which any reader can add to the message. */
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
  /** Required with `other`. */
  description: z.string().optional(),
})

/** What people attach to messages: submessages, and reports to the moderators. */
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
  /** The same endpoint under the path that the API's change log gives. */
  reportOneMessage: endpoint({
    method: 'POST',
    path: '/message/{message_id}/report',
    since: 382,
    input: report,
    output: z.looseObject({}),
  }),
}
