import { apiMessage, messages, type ApiMessage } from '../../../src-shared/api/messages.ts'
import { readTolerantly } from '../../../src-shared/api/tolerant.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { SendContext } from '../offline-action.ts'
import { unlessRefused } from './refusals.ts'

/** Fetches a message's current Markdown; null if the message does not exist or the person cannot see it. */
export async function sourceOf(id: MessageId, { connection, signal }: SendContext): Promise<string | null> {
  try {
    const answer = await connection.call(
      messages.getMessage,
      { message_id: id, apply_markdown: false, allow_empty_topic_name: true },
      { signal },
    )
    return answer.message?.content ?? answer.raw_content ?? ''
  } catch (error) {
    if (failureOf(error).kind === 'rejected') return null
    throw error
  }
}

/**
 * The message as it is on the server, with its Markdown; undefined if it does not exist, or the person cannot see it.
 * From a server that tells only the text of a single message, also if no page of messages has it.
 */
export async function messageNow(
  id: MessageId,
  { connection, signal }: SendContext,
): Promise<ApiMessage | undefined> {
  const form = { apply_markdown: false, allow_empty_topic_name: true }
  const answer = await unlessRefused(
    connection.call(messages.getMessage, { message_id: id, ...form }, { signal }),
  )
  if (answer === null || answer.message !== undefined) return answer?.message
  const page = await connection.call(
    messages.getMessages,
    { anchor: id, include_anchor: true, num_before: 0, num_after: 0, narrow: [], ...form },
    { signal },
  )
  return page.messages
    .map((raw) => readTolerantly(apiMessage, raw).read.data)
    .find((message) => message?.id === id)
}
