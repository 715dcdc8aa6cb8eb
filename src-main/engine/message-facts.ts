import type { Endpoint, OutputOf } from '../../src-shared/api/endpoint.ts'
import { messages } from '../../src-shared/api/messages.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { userId, type MessageId } from '../../src-shared/ids.ts'
import type { MessageVersion } from '../../src-shared/model/message.ts'
import type { Person } from '../../src-shared/model/user.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { Connection } from '../api/connection.ts'
import { nameOfChannel } from '../store/channels.ts'
import type { Store } from '../store/database.ts'
import { changedPieces } from '../drafts/merge.ts'
import { editedAtOf, markdownOf, rememberMarkdown } from '../store/messages.ts'
import { keepHighest, object, putObject } from '../store/objects.ts'
import { waitingEditOf } from '../store/outbox.ts'
import type { QueryContext } from '../queries/context.ts'
import { emptyTopicName, personById, userName } from '../queries/labels.ts'

/** What the functions of this file need. */
export interface FactsParts {
  readonly store: Store
  readonly connection: Connection
  readonly signal: AbortSignal
  context(): QueryContext
}

/** How many answers of each kind are kept for times without a connection. */
const mostKept = 500

/** The server's answer; if the server cannot be reached, its last answer. Rejects if there is neither. */
async function orAsSeen<E extends Endpoint>(
  { store, signal }: FactsParts,
  kind: 'message-history' | 'message-readers',
  id: MessageId,
  endpoint: E,
  ask: () => Promise<OutputOf<E>>,
): Promise<OutputOf<E>> {
  let answer: OutputOf<E>
  try {
    answer = await ask()
  } catch (error) {
    const isAnswered = failureOf(error).kind === 'rejected' || signal.aborted
    const seen = isAnswered ? undefined : object(store.db, kind, id)
    if (seen === undefined) throw error
    // It was stored as this schema returned it, which the schema accepts again.
    return endpoint.output.parse(seen) as OutputOf<E>
  }
  if (signal.aborted) return answer
  try {
    store.write((db) => {
      putObject(db, kind, id, answer)
      keepHighest(db, kind, mostKept)
    })
  } catch (error) {
    // The person gets the answer even if the disk refuses to keep it.
    if (failureOf(error).kind !== 'device') throw error
  }
  return answer
}

/**
 * The Markdown of a message: of an edit that waits, else from this device, else from the server, whose answer is kept.
 * Rejects with a FailureError.
 */
export async function messageSource(
  { store, connection, signal }: FactsParts,
  id: MessageId,
): Promise<string> {
  const here = waitingEditOf(store.db, id) ?? markdownOf(store.db, id)
  if (here !== null) return here
  const editedAt = editedAtOf(store.db, id)
  const answer = await connection.call(
    messages.getMessage,
    { message_id: id, apply_markdown: false },
    { signal },
  )
  const source = answer.message?.content ?? answer.raw_content ?? ''
  // An event, or the answer to an edit, was faster: what came here may be older.
  const faster = markdownOf(store.db, id)
  if (faster !== null) return faster
  if (editedAtOf(store.db, id) === editedAt) store.write((db) => rememberMarkdown(db, id, source))
  return source
}

/** The versions of a message, newest first (specification, GET /messages/{message_id}/history). */
export async function messageHistory(parts: FactsParts, id: MessageId): Promise<MessageVersion[]> {
  const { connection, context, signal } = parts
  const { message_history } = await orAsSeen(parts, 'message-history', id, messages.getMessageHistory, () =>
    connection.call(messages.getMessageHistory, { message_id: id, allow_empty_topic_name: true }, { signal }),
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
          : `${nameOfChannel(db, entry.prev_stream) ?? t.native.anotherChannel} › `
      return {
        at: entry.timestamp * 1_000,
        personName: entry.user_id === null ? null : userName(db, entry.user_id),
        contentHtml: isOriginal ? entry.rendered_content : null,
        changes:
          before === undefined || before.content === entry.content
            ? null
            : changedPieces(before.content, entry.content),
        movedFrom: isMoved ? `${channel}${topicName(entry.prev_topic ?? entry.topic)}` : null,
        isOriginal,
      }
    })
    .reverse()
}

/** The other people who have read a message and let others know, by name (GET /messages/{message_id}/read_receipts). */
export async function readReceipts(parts: FactsParts, id: MessageId): Promise<Person[]> {
  const { connection, context, signal } = parts
  const { user_ids } = await orAsSeen(parts, 'message-readers', id, messages.getReadReceipts, () =>
    connection.call(messages.getReadReceipts, { message_id: id }, { signal }),
  )
  const present = context()
  return user_ids
    .filter((one) => one !== present.ownUserId)
    .map((one) => personById(present, userId(one)))
    .sort((a, b) => a.fullName.localeCompare(b.fullName))
}
