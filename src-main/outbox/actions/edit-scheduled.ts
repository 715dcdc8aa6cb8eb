import { later } from '../../../src-shared/api/later.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { isSameText } from '../../store/as-kept.ts'
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
  conversation: () => null,
  isSo(db, { scheduledId, content, sendAt }) {
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
  async isDone(action, _code, context) {
    const { scheduledId, conversation, content: written, sendAt } = action
    const content = written === null ? null : context.files.linked(written)
    // Its files are not uploaded, so it was not sent.
    if (written !== null && content === null) return false
    const { connection, signal, db, localId, clock } = context
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    const there = scheduled_messages.find((one) => one.scheduled_message_id === scheduledId)
    if (there !== undefined)
      return (
        (content === null || isSameText(db, there.content, content)) &&
        (sendAt === null || isSameMoment(there.scheduled_delivery_timestamp, sendAt))
      )
    // There is no text to search for. If its time has come, it was sent.
    if (content === null) return sendAt === 'now' || (sendAt ?? 0) <= clock.now()
    const newestBefore = outboxRow(db, localId)?.sentAfter ?? Infinity
    return await hasOwnMessage(conversation, content, ({ id }) => id > newestBefore, context)
  },
  concerns: () => [],
  join: (earlier, next) => ({
    ...next,
    content: next.content ?? earlier.content,
    sendAt: next.sendAt ?? earlier.sendAt,
  }),
}
