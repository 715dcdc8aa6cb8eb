import { messages } from '../../src-shared/api/messages.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { userId, type MessageId } from '../../src-shared/ids.ts'
import type { CallResultOf } from '../../src-shared/bridge/calls.ts'
import type { MessageVersion } from '../../src-shared/model/message.ts'
import type { Person } from '../../src-shared/model/user.ts'
import type { Connection } from '../api/connection.ts'
import { changesFromVersions } from '../api/message-changes.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { changesOf, putChanges } from '../store/message-changes.ts'
import { editedAtOf, hasMessage, markdownOf, messageInPlace, rememberMarkdown } from '../store/messages.ts'
import { keepHighest, object, putObject } from '../store/objects.ts'
import { waitingEditOf } from '../store/outbox.ts'
import { writeIfPossible } from '../store/write-if-possible.ts'
import type { QueryContext } from '../queries/context.ts'
import { personById } from '../queries/labels.ts'
import { messageVersions } from './message-versions.ts'

/** What the functions of this file need. */
export interface FactsParts {
  readonly store: Store
  readonly connection: Connection
  readonly signal: AbortSignal
  context(): QueryContext
}

/** Of how many messages the readers are kept for times without a connection. */
const mostKept = 500

/** Keeps an answer of the server: whoever asked for it gets it even if the disk refuses. */
function keep({ store, signal }: FactsParts, work: (db: WritableDb) => void): void {
  if (!signal.aborted) writeIfPossible(store, work)
}

/** Rethrows what the server's own answer, or the end of the account, made of a request. */
function onlyIfUnreachable({ signal }: FactsParts, error: unknown): void {
  if (failureOf(error).kind === 'rejected' || signal.aborted) throw error
}

/**
 * The Markdown of a message: of an edit that waits, else from this device, else from the server, whose answer is kept.
 * Rejects with a FailureError.
 */
export async function messageSource(parts: FactsParts, id: MessageId): Promise<string> {
  const { store, connection, signal } = parts
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
  if (editedAtOf(store.db, id) === editedAt) keep(parts, (db) => rememberMarkdown(db, id, source))
  return source
}

/**
 * The versions of a message, newest first (specification, GET /messages/{message_id}/history); if the server cannot be
 * reached, those that are known here. Rejects if there are none.
 */
export async function messageHistory(
  parts: FactsParts,
  id: MessageId,
): Promise<CallResultOf<'message-history'>> {
  const { store, connection, context, signal } = parts
  const stateOf = () =>
    JSON.stringify([changesOf(store.db, id), markdownOf(store.db, id), editedAtOf(store.db, id)])
  const before = stateOf()
  try {
    const { message_history } = await connection.call(
      messages.getMessageHistory,
      { message_id: id, allow_empty_topic_name: true },
      { signal },
    )
    const changes = changesFromVersions(message_history)
    const [original, present] = [message_history[0], message_history.at(-1)]
    if (original === undefined || present === undefined) return { versions: [], isFromServer: true }
    keep(parts, (db) => {
      // An event was faster: the answer may be older.
      if (stateOf() !== before || !hasMessage(db, id)) return
      putChanges(db, id, changes)
      rememberMarkdown(db, id, present.content)
    })
    const shown = {
      senderId: original.user_id,
      sentAt: original.timestamp * 1_000,
      topic: present.topic,
      markdown: present.content,
      html: present.rendered_content,
    }
    return { versions: messageVersions(context(), shown, changes, false), isFromServer: true }
  } catch (error) {
    onlyIfUnreachable(parts, error)
    const versions = versionsHere(context(), id)
    if (versions === null) throw error
    return { versions, isFromServer: false }
  }
}

/** The versions of a message that are known on this device; null if its changes are not. */
function versionsHere(context: QueryContext, id: MessageId): MessageVersion[] | null {
  const known = changesOf(context.db, id)
  const present = messageInPlace(context.db, id)
  if (known === null || present === undefined) return null
  const { conversation, contentHtml, senderId, sentAt } = present
  const topic = conversation.kind === 'topic' ? conversation.topic : ''
  const shown = { senderId, sentAt, topic, markdown: markdownOf(context.db, id), html: contentHtml }
  return messageVersions(context, shown, known.changes, known.hasEarlier)
}

/**
 * The other people who have read a message and let others know, by name (GET /messages/{message_id}/read_receipts); if
 * the server cannot be reached, as of the last time that somebody looked. Rejects if nobody did.
 */
export async function readReceipts(parts: FactsParts, id: MessageId): Promise<Person[]> {
  const present = parts.context()
  return (await readerIds(parts, id))
    .filter((one) => one !== present.ownUserId)
    .map((one) => personById(present, userId(one)))
    .sort((a, b) => a.fullName.localeCompare(b.fullName))
}

async function readerIds(parts: FactsParts, id: MessageId): Promise<readonly number[]> {
  const { store, connection, signal } = parts
  try {
    const answer = await connection.call(messages.getReadReceipts, { message_id: id }, { signal })
    keep(parts, (db) => {
      putObject(db, 'message-readers', id, answer)
      keepHighest(db, 'message-readers', mostKept)
    })
    return answer.user_ids
  } catch (error) {
    onlyIfUnreachable(parts, error)
    const seen = object(store.db, 'message-readers', id)
    if (seen === undefined) throw error
    // It was stored as this schema returned it, which the schema accepts again.
    return messages.getReadReceipts.output.parse(seen).user_ids
  }
}
