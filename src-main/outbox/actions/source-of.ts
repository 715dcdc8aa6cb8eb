import { messages, type ApiMessage } from '../../../src-shared/api/messages.ts'
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
 * The message as it is on the server, with its Markdown; undefined if it does not exist, the person cannot see it, or
 * the server is too old to say.
 */
export async function messageNow(
  id: MessageId,
  { connection, signal }: SendContext,
): Promise<ApiMessage | undefined> {
  const { message } = (await unlessRefused(
    connection.call(
      messages.getMessage,
      { message_id: id, apply_markdown: false, allow_empty_topic_name: true },
      { signal },
    ),
  )) ?? { message: undefined }
  return message
}
