import { apiScheduledMessage, later } from '../../../src-shared/api/later.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { newestIn } from '../../store/messages.ts'
import { object, removeObject } from '../../store/objects.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { refused } from './refusals.ts'
import { conversationOfScheduled } from './schedule-message.ts'
import { hasOwnMessage } from './send-message.ts'

const sentCode = 'SENT_MEANWHILE'

/** Deletes a scheduled message (specification, DELETE /scheduled_messages/{scheduled_message_id}). */
export const cancelScheduled: OfflineAction<'cancel-scheduled'> = {
  isRepeatable: true,
  lane: ({ scheduledId }) => `scheduled:${scheduledId}`,
  noted(db, action, { ownUserId }) {
    const { data } = apiScheduledMessage.safeParse(object(db, 'scheduled-message', action.scheduledId))
    if (data === undefined) return action
    const conversation = conversationOfScheduled(data, ownUserId)
    const newestKnown = newestIn(db, { kind: 'combined' })
    return { ...action, was: { conversation, content: data.content, newestKnown } }
  },
  apply: (db, { scheduledId }) => removeObject(db, 'scheduled-message', scheduledId),
  async send(action, context) {
    const { connection, signal } = context
    const { scheduledId: scheduled_message_id } = action
    try {
      await connection.call(later.deleteScheduledMessage, { scheduled_message_id }, { signal })
    } catch (error) {
      if (failureOf(error).kind === 'rejected' && (await wasSent(action, context)))
        throw refused(t.failures.sentAtItsTime, sentCode)
      throw error
    }
    return null
  },
  // Also true if another device cancelled it: nothing is left to cancel.
  async isDone({ scheduledId }, code, { connection, signal }) {
    if (code === sentCode) return false
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    return !scheduled_messages.some((one) => one.scheduled_message_id === scheduledId)
  },
  join: (_earlier, last) => last,
}

/** Whether the server has sent the message since the person deleted it. */
async function wasSent({ was }: ActionOf<'cancel-scheduled'>, context: SendContext): Promise<boolean> {
  const content = was === undefined ? null : context.files.linked(was.content)
  if (was === undefined || content === null) return false
  return hasOwnMessage(was.conversation, content, ({ id }) => id > was.newestKnown, context)
}
