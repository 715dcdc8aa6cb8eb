import { apiScheduledMessage, later, type ApiScheduledMessage } from '../../../src-shared/api/later.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { channelId } from '../../../src-shared/ids.ts'
import {
  conversationKey,
  directConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import { isSameText, keptTopic } from '../../store/as-kept.ts'
import { endDraft } from '../../store/drafts.ts'
import { objectsOf } from '../../store/objects.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { hasOwnMessage, recipientForApi } from './send-message.ts'

/** Whether the server's scheduled message is the result of the action with this content. */
function isMade(
  { conversation, sendAt }: ActionOf<'schedule-message'>,
  content: string,
  one: ApiScheduledMessage,
  { db, ownUserId }: Pick<SendContext, 'db' | 'ownUserId'>,
): boolean {
  const asKept = (place: Conversation) =>
    conversationKey(place.kind === 'topic' ? { ...place, topic: keptTopic(db, place.topic) } : place)
  return (
    one.scheduled_delivery_timestamp === Math.round(sendAt / 1_000) &&
    isSameText(db, one.content, content) &&
    asKept(
      typeof one.to === 'number'
        ? { kind: 'topic', channelId: channelId(one.to), topic: one.topic ?? '' }
        : directConversation(one.to, ownUserId),
    ) === asKept(conversation)
  )
}

/** Schedules a message (specification, POST /scheduled_messages). */
export const scheduleMessage: OfflineAction<'schedule-message'> = {
  // Each attempt first asks whether it is already scheduled, so a repeat does not schedule it twice.
  isRepeatable: true,
  lane: ({ conversation }) => `schedule:${conversationKey(conversation)}`,
  conversation: () => null,
  apply(db, { draftId }, { clock }) {
    if (draftId !== null) endDraft(db, draftId, clock.now())
  },
  async send(action, context) {
    const { connection, signal, ownUserId, files } = context
    const { conversation, sendAt } = action
    const content = files.demandLinked(action.content)
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    const isThere = scheduled_messages.some((one) => isMade(action, content, one, context))
    if (!isThere) {
      await connection.call(
        later.createScheduledMessage,
        {
          ...recipientForApi(conversation, ownUserId),
          content,
          scheduled_delivery_timestamp: Math.round(sendAt / 1_000),
        },
        { signal },
      )
    }
    return null
  },
  // A message with files has other links on the server, so only `send` recognizes it.
  isHere: (db, action, { ownUserId }) =>
    objectsOf(db, 'scheduled-message').some((one) => {
      const { data } = apiScheduledMessage.safeParse(one)
      return data !== undefined && isMade(action, action.content, data, { db, ownUserId })
    }),
  // If the answer was lost, the server may have sent it by now; then it is no longer scheduled. Times are the server's.
  async isDone({ conversation, content: written, sendAt }, _code, context) {
    const content = context.files.linked(written)
    if (content === null) return false
    const due = Math.floor(sendAt / 1_000)
    return await hasOwnMessage(conversation, content, ({ timestamp }) => timestamp >= due, context)
  },
  concerns: () => [],
}
