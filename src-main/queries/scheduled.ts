import type { Reminder, ScheduledMessage } from '../../src-shared/bridge/queries.ts'
import { channelId, messageId, userId } from '../../src-shared/ids.ts'
import { directConversation, type Conversation } from '../../src-shared/model/conversation.ts'
import { objectsOf } from '../store/objects.ts'
import { labelOf, type QueryContext } from './labels.ts'

/** The messages that the server sends at their time, the next one first. */
export function scheduled(context: QueryContext): ScheduledMessage[] {
  return objectsOf(context.db, 'scheduled-message')
    .flatMap(({ scheduled_message_id: id, to, topic, content, scheduled_delivery_timestamp: at, failed }) => {
      if (typeof id !== 'number' || typeof content !== 'string' || typeof at !== 'number') return []
      const conversation: Conversation =
        typeof to === 'number'
          ? { kind: 'topic', channelId: channelId(to), topic: typeof topic === 'string' ? topic : '' }
          : directConversation(
              (Array.isArray(to) ? to : []).map((one) => userId(Number(one))),
              context.ownUserId,
            )
      return [
        {
          scheduledId: id,
          conversation,
          label: labelOf(context, conversation),
          content,
          sendAt: at * 1_000,
          hasFailed: failed === true,
        },
      ]
    })
    .sort((a, b) => a.sendAt - b.sendAt)
}

/** The messages that the server brings back, the next one first. */
export function reminders({ db }: QueryContext): Reminder[] {
  return objectsOf(db, 'reminder')
    .flatMap((reminder): Reminder[] => {
      const { reminder_id: id, reminder_target_message_id: target, rendered_content: html } = reminder
      const { scheduled_delivery_timestamp: at, failed } = reminder
      if (typeof id !== 'number' || typeof target !== 'number' || typeof at !== 'number') return []
      return [
        {
          reminderId: id,
          messageId: messageId(target),
          contentHtml: typeof html === 'string' ? html : '',
          remindAt: at * 1_000,
          hasFailed: failed === true,
        },
      ]
    })
    .sort((a, b) => a.remindAt - b.remindAt)
}
