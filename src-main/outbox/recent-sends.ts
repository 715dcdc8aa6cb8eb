import { FailureError } from '../../src-shared/failure.ts'
import type { LocalId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** How many messages can be taken back after the server has them. */
const mostRecentSends = 20

/** A message that was written a moment ago. */
export interface RecentSend {
  readonly conversation: Conversation
  readonly content: string
  /** The server's id once it is known. */
  readonly messageId: number | null
}

/** What was written last in this run of the app, also after the server has it: that is what can be undone. */
export function createRecentSends() {
  const sends = new Map<LocalId, RecentSend>()
  return {
    add(id: LocalId, { conversation, content }: Pick<RecentSend, 'conversation' | 'content'>): void {
      sends.set(id, { conversation, content, messageId: null })
      const [oldest] = sends.keys()
      if (sends.size > mostRecentSends && oldest !== undefined) sends.delete(oldest)
    },
    /** The server has it; does nothing for what is not recent, or when nobody knows its id. */
    arrived(id: LocalId, messageId: number | null): void {
      const sent = sends.get(id)
      if (sent !== undefined && messageId !== null) sends.set(id, { ...sent, messageId })
    },
    forget: (id: LocalId): void => void sends.delete(id),
    /** Fails with TOO_LATE for what is not recent. */
    demand(id: LocalId): RecentSend {
      const sent = sends.get(id)
      if (sent !== undefined) return sent
      throw new FailureError({
        kind: 'rejected',
        code: 'TOO_LATE',
        message: t.failures.cannotTakeBack,
        status: 0,
      })
    },
  }
}
