import { receivesSince } from '../store/channels.ts'
import type { ReadableDb } from '../store/database.ts'
import { hasMessage } from '../store/messages.ts'
import type { OutboxRow } from '../store/outbox.ts'

/**
 * What an accepted change sent and no event brings, because the person is not in the channel; `messageId` is what the
 * server calls it.
 */
export function unheardMessages(
  db: ReadableDb,
  { action, sentAfter }: OutboxRow,
  messageId: number | null,
): readonly number[] {
  if (action?.name !== 'send-message' || messageId === null || hasMessage(db, messageId)) return []
  return receivesSince(db, action.conversation, sentAfter ?? 0) ? [] : [messageId]
}
