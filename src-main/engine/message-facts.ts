import { messages } from '../../src-shared/api/messages.ts'
import { userId, type MessageId } from '../../src-shared/ids.ts'
import type { MessageVersion } from '../../src-shared/model/message.ts'
import type { Person } from '../../src-shared/model/user.ts'
import type { Connection } from '../api/connection.ts'
import { emptyTopicName, personById, userName, type QueryContext } from '../queries/labels.ts'

/** The versions of a message, the newest first (specification, GET /messages/{message_id}/history). */
export async function messageHistory(
  connection: Connection,
  context: () => QueryContext,
  id: MessageId,
  signal: AbortSignal,
): Promise<MessageVersion[]> {
  const { message_history } = await connection.call(
    messages.getMessageHistory,
    { message_id: id, allow_empty_topic_name: true },
    { signal },
  )
  const { db } = context()
  const topicName = (topic: string) => (topic === '' ? emptyTopicName(db) : topic)
  return message_history
    .map((entry, index): MessageVersion => {
      const isOriginal = index === 0
      const before = message_history[index - 1]
      const isMoved = entry.prev_topic !== undefined || entry.prev_stream !== undefined
      const channel =
        entry.prev_stream === undefined
          ? ''
          : `${
              db.get<{ name: string }>('SELECT name FROM channels WHERE channel_id = ?', [entry.prev_stream])
                ?.name ?? 'another channel'
            } › `
      return {
        at: entry.timestamp * 1_000,
        personName: entry.user_id === null ? null : userName(db, entry.user_id),
        contentHtml:
          isOriginal || before?.rendered_content !== entry.rendered_content ? entry.rendered_content : null,
        movedFrom: isMoved ? `${channel}${topicName(entry.prev_topic ?? entry.topic)}` : null,
        isOriginal,
      }
    })
    .reverse()
}

/** Who has read a message and says so (specification, GET /messages/{message_id}/read_receipts); by name. */
export async function readReceipts(
  connection: Connection,
  context: () => QueryContext,
  id: MessageId,
  signal: AbortSignal,
): Promise<Person[]> {
  const { user_ids } = await connection.call(messages.getReadReceipts, { message_id: id }, { signal })
  const present = context()
  return user_ids
    .map((one) => personById(present, userId(one)))
    .sort((a, b) => a.fullName.localeCompare(b.fullName))
}
