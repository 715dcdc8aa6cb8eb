import { later } from '../../../src-shared/api/later.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { isSameText } from '../../store/as-kept.ts'
import { object, patchObject } from '../../store/objects.ts'
import { outboxRow } from '../../store/outbox.ts'
import type { OfflineAction } from '../offline-action.ts'
import { hasOwnMessage } from './send-message.ts'

/** What is to be sent at once is given this time to arrive before its moment is over, seconds. */
const aheadSeconds = 5
/** And this, where its moment is over already by the server's clock, which may not be known. */
const farAheadSeconds = 90

const isSameMoment = (seconds: number, sendAt: number | 'now'): boolean =>
  sendAt !== 'now' && Math.round(sendAt / 1_000) === seconds

/**
 * New text or another time for a message that waits for its time (specification, PATCH
 * /scheduled_messages/{scheduled_message_id}). To be sent at once is a time too: one request, so that the message is
 * neither sent twice nor lost between taking it back and sending it.
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
  // A repeated edit is refused when the first attempt arrived and the message was sent, or failed, in the meantime.
  async isDone(action, _code, context) {
    const { scheduledId, conversation, content: written, sendAt } = action
    const content = written === null ? null : context.files.linked(written)
    // It cannot have left before its files.
    if (written !== null && content === null) return false
    const { connection, signal, db, localId, clock } = context
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    const there = scheduled_messages.find((one) => one.scheduled_message_id === scheduledId)
    if (there !== undefined)
      return (
        (content === null || isSameText(db, there.content, content)) &&
        (sendAt === null || isSameMoment(there.scheduled_delivery_timestamp, sendAt))
      )
    // No words to look for: what was to be sent at once, or by now, was.
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
