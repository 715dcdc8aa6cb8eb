import { later } from '../../../src-shared/api/later.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { patchObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** What is to be sent at once is given this time to arrive before its moment is over, seconds. */
const aheadSeconds = 5
/** And this, where the server's clock says that this moment is over already. */
const farAheadSeconds = 90

/**
 * New text or another time for a message that waits for its time (specification, PATCH
 * /scheduled_messages/{scheduled_message_id}). To be sent at once is a time too: one request, so that the message is
 * neither sent twice nor lost between taking it back and sending it.
 */
export const editScheduled: OfflineAction<'edit-scheduled'> = {
  isRepeatable: true,
  lane: ({ scheduledId }) => `scheduled:${scheduledId}`,
  conversation: () => null,
  apply(db, { scheduledId, content, sendAt }) {
    patchObject(db, 'scheduled-message', scheduledId, {
      ...(content === null ? {} : { content }),
      ...(typeof sendAt === 'number' ? { scheduled_delivery_timestamp: Math.round(sendAt / 1_000) } : {}),
      failed: false,
    })
  },
  async send({ scheduledId, content: written, sendAt }, { connection, signal, files, clock }) {
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
    const now = Math.ceil(clock.now() / 1_000)
    try {
      await put(now + aheadSeconds)
    } catch (error) {
      if (failureOf(error).kind !== 'rejected') throw error
      await put(now + farAheadSeconds)
    }
    return null
  },
  // What is not there any more was sent meanwhile, which is what was wanted.
  async isDone({ scheduledId, content, sendAt }, _code, { connection, signal }) {
    if (sendAt !== 'now' || content !== null) return false
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    return !scheduled_messages.some((one) => one.scheduled_message_id === scheduledId)
  },
  concerns: () => [],
  join: (earlier, next) => ({
    ...next,
    content: next.content ?? earlier.content,
    sendAt: next.sendAt ?? earlier.sendAt,
  }),
}
