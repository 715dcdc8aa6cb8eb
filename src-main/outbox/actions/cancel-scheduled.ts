import { apiScheduledMessage, later } from '../../../src-shared/api/later.ts'
import type { ApiMessage } from '../../../src-shared/api/messages.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { markdownOf, newestIn } from '../../store/messages.ts'
import { object, removeObject } from '../../store/objects.ts'
import { outboxRows } from '../../store/outbox.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { refused } from './refusals.ts'
import { conversationOfScheduled } from './schedule-message.ts'
import { hasOwnMessage } from './send-message.ts'

const sentCode = 'SENT_MEANWHILE'

/** Deletes a scheduled message (specification, DELETE /scheduled_messages/{scheduled_message_id}). */
export const cancelScheduled: OfflineAction<'cancel-scheduled'> = {
  isRepeatable: true,
  lane: ({ scheduledId }) => `scheduled:${scheduledId}`,
  withDetails(db, action, { ownUserId }) {
    const { data } = apiScheduledMessage.safeParse(object(db, 'scheduled-message', action.scheduledId))
    if (data === undefined) return action
    const conversation = conversationOfScheduled(data, ownUserId)
    const newestKnown = newestIn(db, { kind: 'combined' })
    const { content, scheduled_delivery_timestamp: due } = data
    const edits = outboxRows(db).flatMap(({ action: edit, state }) =>
      edit?.name === 'edit-scheduled' && edit.scheduledId === action.scheduledId && state !== 'refused'
        ? [edit]
        : [],
    )
    // When it was to be sent at once, its time is over.
    const isHurried = edits.some(({ sendAt }) => sendAt === 'now')
    const was = { conversation, content, ...(isHurried ? {} : { due }), newestKnown, whole: { ...data } }
    const orBefore = edits.flatMap(({ was: before }) =>
      before === undefined ? [] : [{ content: before.content, due: before.due }],
    )
    return { ...action, was: orBefore.length === 0 ? was : { ...was, orBefore } }
  },
  apply: (db, { scheduledId }) => removeObject(db, 'scheduled-message', scheduledId),
  async send(action, context) {
    const { connection, signal } = context
    const { scheduledId: scheduled_message_id } = action
    try {
      await connection.call(later.deleteScheduledMessage, { scheduled_message_id }, { signal })
    } catch (error) {
      if (failureOf(error).kind === 'rejected' && (await wasSent(action, context)))
        throw refused(t.failures.sentMeanwhile, sentCode)
      throw error
    }
    return null
  },
  // Also true if another device cancelled it: nothing is left to cancel.
  async isAlreadyDone({ scheduledId }, code, { connection, signal }) {
    if (code === sentCode) return false
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    return !scheduled_messages.some((one) => one.scheduled_message_id === scheduledId)
  },
  join: (_earlier, last) => last,
}

/**
 * Whether the server has sent the message since the person deleted it: at its time or later or, if the words were not
 * written here, before. The same words sent before that are another message.
 */
async function wasSent({ was }: ActionOf<'cancel-scheduled'>, context: SendContext): Promise<boolean> {
  if (was === undefined) return false
  const { db } = context
  const { conversation, newestKnown, orBefore = [] } = was
  for (const { content: written, due = 0 } of [was, ...orBefore]) {
    const content = context.files.linked(written)
    const isBeingSent = outboxRows(db).some(
      ({ action }) => action?.name === 'send-message' && action.content === written,
    )
    // Somebody may have had it sent before its time. The text of what was written here is kept.
    const isLater = ({ id, timestamp }: ApiMessage) =>
      id > newestKnown && (timestamp >= due || (!isBeingSent && markdownOf(db, id) === null))
    if (content !== null && (await hasOwnMessage(conversation, content, isLater, context))) return true
  }
  return false
}
