import { apiScheduledMessage, later } from '../../../src-shared/api/later.ts'
import type { ApiMessage } from '../../../src-shared/api/messages.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { isSameText } from '../../store/as-kept.ts'
import { newestIn } from '../../store/messages.ts'
import { object, patchObject } from '../../store/objects.ts'
import { outboxRow } from '../../store/outbox.ts'
import type { OfflineAction } from '../offline-action.ts'
import { hasOwnMessage } from './send-message.ts'

/**
 * How far ahead a message to send at once is scheduled, in seconds: its time must not be past when the request arrives.
 */
const aheadSeconds = 5
/** The same after a refusal, which may mean that the server's clock is ahead; in seconds. */
const farAheadSeconds = 90

const isSameMoment = (seconds: number, sendAt: number | 'now'): boolean =>
  sendAt !== 'now' && Math.round(sendAt / 1_000) === seconds

/**
 * Changes the text or the time of a scheduled message (specification, PATCH
 * /scheduled_messages/{scheduled_message_id}). "Send now" is also a change of the time: a single request, so that the
 * message cannot be lost or sent twice between a deletion and a new send.
 */
export const editScheduled: OfflineAction<'edit-scheduled'> = {
  isRepeatable: true,
  lane: ({ scheduledId }) => `scheduled:${scheduledId}`,
  // Without its text, nobody could tell a message that was sent from one that another device cancelled.
  withDetails(db, edit) {
    const { data } = apiScheduledMessage.safeParse(object(db, 'scheduled-message', edit.scheduledId))
    if (data === undefined) return edit
    const { content, scheduled_delivery_timestamp: due } = data
    return { ...edit, was: { content, due, newestKnown: newestIn(db, { kind: 'combined' }) } }
  },
  isApplied(db, { scheduledId, content, sendAt }) {
    const there = object(db, 'scheduled-message', scheduledId)
    if (there === undefined) return true
    const { content: text, scheduled_delivery_timestamp: at } = there
    return (
      (content === null || (typeof text === 'string' && isSameText(db, text, content))) &&
      (typeof sendAt !== 'number' || isSameMoment(Number(at), sendAt))
    )
  },
  apply(db, { scheduledId, content, sendAt }) {
    patchObject(db, 'scheduled-message', scheduledId, {
      ...(content === null ? {} : { content }),
      ...(typeof sendAt === 'number' ? { scheduled_delivery_timestamp: Math.round(sendAt / 1_000) } : {}),
      failed: false,
    })
  },
  async send({ scheduledId, content: written, sendAt }, { connection, signal, files, serverNow }) {
    const content = written === null ? undefined : files.demandLinked(written)
    const put = (seconds: number | null) =>
      connection.call(
        later.editScheduledMessage,
        {
          scheduled_message_id: scheduledId,
          ...(content === undefined ? {} : { content }),
          ...(seconds === null ? {} : { scheduled_delivery_timestamp: seconds }),
        },
        { signal },
      )
    if (sendAt !== 'now') {
      await put(sendAt === null ? null : Math.round(sendAt / 1_000))
      return null
    }
    const now = Math.ceil(serverNow() / 1_000)
    try {
      await put(now + aheadSeconds)
    } catch (error) {
      if (failureOf(error).kind !== 'rejected') throw error
      await put(now + farAheadSeconds)
    }
    return null
  },
  // The server refuses a repeat if the first attempt arrived and the message was sent, or failed, in the meantime.
  async isAlreadyDone(action, _code, context) {
    const { scheduledId, conversation, content: written, sendAt, was } = action
    const content = written === null ? null : context.files.linked(written)
    // Its files are not uploaded, so it was not sent.
    if (written !== null && content === null) return false
    const { connection, signal, db, localId, files } = context
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    const there = scheduled_messages.find((one) => one.scheduled_message_id === scheduledId)
    if (there !== undefined)
      return (
        (content === null || isSameText(db, there.content, content)) &&
        (sendAt === null || isSameMoment(there.scheduled_delivery_timestamp, sendAt))
      )
    if (content === null) {
      // Sent at another time than was asked for: it is too late for the change.
      const due = typeof sendAt === 'number' ? Math.floor(sendAt / 1_000) : 0
      const text = was === undefined ? null : files.linked(was.content)
      const isLater = ({ id, timestamp }: ApiMessage) => id > (was?.newestKnown ?? 0) && timestamp >= due
      return text !== null && (await hasOwnMessage(conversation, text, isLater, context))
    }
    const newestBefore = outboxRow(db, localId)?.sentAfter ?? Infinity
    return await hasOwnMessage(conversation, content, ({ id }) => id > newestBefore, context)
  },
  join: (earlier, next) => ({
    ...next,
    content: next.content ?? earlier.content,
    sendAt: next.sendAt ?? earlier.sendAt,
    // What the next one starts from, the server never had.
    was: earlier.was ?? next.was,
  }),
}
