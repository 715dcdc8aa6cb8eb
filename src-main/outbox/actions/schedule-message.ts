import { apiScheduledMessage, later, type ApiScheduledMessage } from '../../../src-shared/api/later.ts'
import { channelId, type UserId } from '../../../src-shared/ids.ts'
import {
  conversationKey,
  directConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import { isSameText, keptTopic } from '../../store/as-kept.ts'
import type { ReadableDb } from '../../store/database.ts'
import { endSentDraft } from '../../store/split-drafts.ts'
import { markdownOf } from '../../store/messages.ts'
import { putObject } from '../../store/objects.ts'
import type { EffectContext, OfflineAction } from '../offline-action.ts'
import { beganAs, narrowsOfOwn, pagesSince, recipientForApi } from './send-message.ts'

/** The conversation that a scheduled message is for. */
export const conversationOfScheduled = (
  { to, topic }: ApiScheduledMessage,
  ownUserId: UserId,
): Conversation =>
  typeof to === 'number'
    ? { kind: 'topic', channelId: channelId(to), topic: topic ?? '' }
    : directConversation(to, ownUserId)

/** Whether a scheduled message is for this conversation. */
function isFor(
  db: ReadableDb,
  conversation: Conversation,
  one: ApiScheduledMessage,
  { ownUserId }: Pick<EffectContext, 'ownUserId'>,
): boolean {
  const asKept = (place: Conversation) =>
    conversationKey(place.kind === 'topic' ? { ...place, topic: keptTopic(db, place.topic) } : place)
  return asKept(conversationOfScheduled(one, ownUserId)) === asKept(conversation)
}

/** The lane of the messages that are being scheduled for a conversation. */
export const scheduleLane = (conversation: Conversation): string =>
  `schedule:${conversationKey(conversation)}`

/** Schedules a message (specification, POST /scheduled_messages). */
export const scheduleMessage: OfflineAction<'schedule-message'> = {
  isRepeatable: false,
  lane: ({ conversation }) => scheduleLane(conversation),
  apply(db, { draftId, content }, { clock }) {
    if (draftId !== null) endSentDraft(db, draftId, content, clock)
  },
  // The deletion of a scheduled message is undone: the server keeps the one that it has.
  restores(db, { conversation, content, sendAt }, earlier, context) {
    if (earlier.name !== 'cancel-scheduled') return null
    const { whole, due } = earlier.was ?? {}
    const { data } = apiScheduledMessage.safeParse(whole)
    const isSame =
      data?.failed === false &&
      due === Math.round(sendAt / 1_000) &&
      isSameText(db, data.content, content) &&
      isFor(db, conversation, data, context)
    if (!isSame) return null
    putObject(db, 'scheduled-message', data.scheduled_message_id, data)
    return { id: data.scheduled_message_id, rest: null }
  },
  async send({ conversation, content, sendAt }, { connection, signal, ownUserId, files }) {
    const { scheduled_message_id } = await connection.call(
      later.createScheduledMessage,
      {
        ...recipientForApi(conversation, ownUserId),
        content: files.demandLinked(content),
        scheduled_delivery_timestamp: Math.round(sendAt / 1_000),
        read_by_sender: true,
      },
      { signal },
    )
    return scheduled_message_id
  },
  makes: {
    kind: 'scheduled-message',
    onServer: async ({ connection, signal }) =>
      (await connection.call(later.getScheduledMessages, {}, { signal })).scheduled_messages,
    isMade(db, { conversation, content: written, sendAt }, one, context) {
      const { data } = apiScheduledMessage.safeParse(one)
      const content = context.linked(written)
      return (
        data !== undefined &&
        content !== null &&
        data.scheduled_delivery_timestamp === Math.round(sendAt / 1_000) &&
        isSameText(db, data.content, content) &&
        isFor(db, conversation, data, context)
      )
    },
    // Its text and its time can be changed; nobody moves it to another conversation.
    mayBeMade(db, { conversation }, one, context) {
      const { data } = apiScheduledMessage.safeParse(one)
      return data !== undefined && isFor(db, conversation, data, context)
    },
    // The server may have sent it by now, at its time or, if somebody changed it, at another one with other words.
    async findElsewhere({ conversation, content: written, sendAt }, { sentAfter }, context, isOther) {
      const { db, ownUserId, files } = context
      const content = files.linked(written)
      // Its files are not uploaded, so it was not sent.
      if (content === null) return 'absent'
      const due = Math.floor(sendAt / 1_000)
      let isDoubtful = false
      for (const narrow of narrowsOfOwn(conversation, ownUserId)) {
        for await (const page of pagesSince(sentAfter, narrow, context)) {
          if (page === null) return 'undecided'
          for (const message of page) {
            const { id, timestamp } = message
            if (isOther(id) || message.sender_id !== ownUserId) continue
            if (timestamp >= due && beganAs(message, content, conversation, context)) return 'arrived'
            // The text of what was written here is kept.
            isDoubtful ||= beganAs(message, null, conversation, context) && markdownOf(db, id) === null
          }
        }
      }
      return isDoubtful ? 'undecided' : 'absent'
    },
  },
}
