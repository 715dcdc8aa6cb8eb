import { messages } from '../../../src-shared/api/messages.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { SendContext } from '../offline-action.ts'

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
