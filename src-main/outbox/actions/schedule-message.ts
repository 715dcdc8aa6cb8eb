import { later } from '../../../src-shared/api/later.ts'
import { channelId } from '../../../src-shared/ids.ts'
import {
  conversationKey,
  directConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import { isSameText, keptTopic } from '../../store/as-kept.ts'
import { endDraft } from '../../store/drafts.ts'
import type { OfflineAction } from '../offline-action.ts'
import { hasOwnMessage, recipientForApi } from './send-message.ts'

/** A message that the server sends at its time (specification, POST /scheduled_messages). */
export const scheduleMessage: OfflineAction<'schedule-message'> = {
  // Repeating looks first, so that an answer that was lost schedules nothing twice.
  isRepeatable: true,
  lane: ({ conversation }) => `schedule:${conversationKey(conversation)}`,
  conversation: () => null,
  apply(db, { draftId }, { clock }) {
    if (draftId !== null) endDraft(db, draftId, clock.now())
  },
  async send({ conversation, content: written, sendAt }, { connection, signal, ownUserId, files, db }) {
    const content = files.demandLinked(written)
    const timestamp = Math.round(sendAt / 1_000)
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    const asKept = (place: Conversation) =>
      conversationKey(place.kind === 'topic' ? { ...place, topic: keptTopic(db, place.topic) } : place)
    const isThere = scheduled_messages.some(
      (one) =>
        one.scheduled_delivery_timestamp === timestamp &&
        isSameText(db, one.content, content) &&
        asKept(
          typeof one.to === 'number'
            ? { kind: 'topic', channelId: channelId(one.to), topic: one.topic ?? '' }
            : directConversation(one.to, ownUserId),
        ) === asKept(conversation),
    )
    if (!isThere) {
      await connection.call(
        later.createScheduledMessage,
        { ...recipientForApi(conversation, ownUserId), content, scheduled_delivery_timestamp: timestamp },
        { signal },
      )
    }
    return null
  },
  // One whose answer was lost may have been sent by now: it is in no list any more, and its moment is over.
  async isDone({ conversation, content: written, sendAt }, _code, context) {
    const content = context.files.linked(written)
    if (content === null || sendAt > context.clock.now()) return false
    const due = Math.floor(sendAt / 1_000)
    return await hasOwnMessage(conversation, content, ({ timestamp }) => timestamp >= due, context)
  },
  concerns: () => [],
}
