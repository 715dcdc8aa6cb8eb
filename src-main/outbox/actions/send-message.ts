import type { OutputOf } from '../../../src-shared/api/endpoint.ts'
import {
  apiMessage,
  messages,
  type ApiMessage,
  type ApiNarrowTerm,
} from '../../../src-shared/api/messages.ts'
import { readTolerantly } from '../../../src-shared/api/tolerant.ts'
import {
  conversationKey,
  directConversation,
  type Conversation,
} from '../../../src-shared/model/conversation.ts'
import type { UserId } from '../../../src-shared/ids.ts'
import { isSameText, isSameTopic } from '../../store/as-kept.ts'
import { endSentDraft } from '../../store/split-drafts.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'

/** How many own messages are fetched at once, and how often, to look for a message that got no answer. */
const pageSize = 200
const mostPages = 5

/** The lane of the messages for a conversation. */
export const messageLane = (conversation: Conversation): string => `send:${conversationKey(conversation)}`

/** Sends a message (specification, POST /messages). Not repeatable: a second request would send a second message. */
export const sendMessage: OfflineAction<'send-message'> = {
  isRepeatable: false,
  lane: ({ conversation }) => messageLane(conversation),
  conversation: ({ conversation }) => conversationKey(conversation),
  apply(db, { draftId, content }, { clock }) {
    if (draftId !== null) endSentDraft(db, draftId, content, clock)
  },
  async send({ conversation, content: written }, { connection, signal, localId, queueId, ownUserId, files }) {
    const content = files.demandLinked(written)
    const { id } = await connection.call(
      messages.sendMessage,
      {
        ...recipientForApi(conversation, ownUserId),
        content,
        local_id: localId,
        ...(queueId === null ? {} : { queue_id: queueId }),
        read_by_sender: true,
      },
      { signal },
    )
    return id
  },
  async find({ conversation, content: written }, { sentAfter }, context, isOther) {
    const { ownUserId, files } = context
    const content = files.linked(written)
    // Its files are not uploaded, so it was not sent.
    if (content === null) return 'absent'
    let isDoubtful = false
    for (const narrow of narrowsOfOwn(conversation, ownUserId)) {
      for await (const page of pagesSince(sentAfter, narrow, context)) {
        if (page === null) return 'undecided'
        for (const message of page) {
          if (isOther(message.id) || message.sender_id !== ownUserId) continue
          if (beganAs(message, content, conversation, context)) return message.id
          isDoubtful ||= isVeiled(message)
        }
      }
    }
    return isDoubtful ? 'undecided' : 'absent'
  },
}

/**
 * The messages of a narrow after `sentAfter`, page by page; null at the end if there are too many or `sentAfter` is
 * null.
 */
export async function* pagesSince(
  sentAfter: number | null,
  narrow: ApiNarrowTerm[],
  { connection, signal }: SendContext,
): AsyncGenerator<ApiMessage[] | null> {
  let anchor: number | 'newest' = sentAfter ?? 'newest'
  for (let count = 0; count < mostPages; count++) {
    const answer: OutputOf<typeof messages.getMessages> = await connection.call(
      messages.getMessages,
      {
        anchor,
        include_anchor: sentAfter === null,
        num_before: sentAfter === null ? pageSize : 0,
        num_after: sentAfter === null ? 0 : pageSize,
        narrow,
        apply_markdown: false,
        allow_empty_topic_name: true,
      },
      { signal },
    )
    const page = answer.messages.flatMap((raw) => readTolerantly(apiMessage, raw).read.data ?? [])
    // Some servers include the anchor even if `include_anchor` is false.
    yield page.filter(({ id }) => sentAfter === null || id > sentAfter)
    if (sentAfter === null) break
    if (answer.found_newest) return
    anchor = page.at(-1)?.id ?? anchor
  }
  yield null
}

/**
 * Whether one of the newest own messages that `isCandidate` accepts was originally sent with this content to this
 * conversation.
 */
export async function hasOwnMessage(
  conversation: Conversation,
  content: string,
  isCandidate: (message: ApiMessage) => boolean,
  context: SendContext,
): Promise<boolean> {
  for (const narrow of narrowsOfOwn(conversation, context.ownUserId)) {
    for await (const page of pagesSince(null, narrow, context)) {
      const isThere = page?.some(
        (message) =>
          isCandidate(message) &&
          message.sender_id === context.ownUserId &&
          beganAs(message, content, conversation, context),
      )
      if (isThere === true) return true
    }
  }
  return false
}

/**
 * The narrows in which own messages are searched: first the channel, because a search over everything lacks channels
 * that the person is not subscribed to; then everything, because the message may have been moved.
 */
export function narrowsOfOwn(conversation: Conversation, ownUserId: UserId): ApiNarrowTerm[][] {
  const own = { operator: 'sender', operand: ownUserId } as const
  return conversation.kind === 'topic'
    ? [[{ operator: 'channel', operand: conversation.channelId }, own], [own]]
    : [[own]]
}

/** Whether a message was originally sent with this content to this conversation, according to its edit history. */
export function beganAs(
  message: ApiMessage,
  /** Null: with any content. */
  content: string | null,
  conversation: Conversation,
  { db, ownUserId }: Pick<SendContext, 'db' | 'ownUserId'>,
): boolean {
  let { content: was, subject: topic, stream_id: channel } = message
  // Newest first (specification, Message object).
  for (const edit of message.edit_history ?? []) {
    was = edit.prev_content ?? was
    topic = edit.prev_topic ?? topic
    channel = edit.prev_stream ?? channel
  }
  if (content !== null && !isSameText(db, was, content)) return false
  if (conversation.kind === 'topic') {
    return channel === conversation.channelId && isSameTopic(db, topic, conversation.topic)
  }
  if (message.type !== 'private' || typeof message.display_recipient === 'string') return false
  const people = message.display_recipient.map(({ id }) => id)
  return conversationKey(directConversation(people, ownUserId)) === conversationKey(conversation)
}

/** Whether a message was changed in a way that its edit history does not show, so that its original is unknown. */
const isVeiled = ({
  edit_history: history,
  last_edit_timestamp: edited,
  last_moved_timestamp: moved,
}: ApiMessage) => history === undefined && (edited !== undefined || moved !== undefined)

/** A message's recipient in the form of the API (specification, POST /messages). */
export function recipientForApi(conversation: Conversation, ownUserId: UserId) {
  return conversation.kind === 'topic'
    ? ({ type: 'stream', to: conversation.channelId, topic: conversation.topic } as const)
    : ({
        type: 'private',
        to: conversation.userIds.length > 0 ? [...conversation.userIds] : [ownUserId],
      } as const)
}
