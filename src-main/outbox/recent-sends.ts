import { FailureError } from '../../src-shared/failure.ts'
import type { LocalId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { undoSendMs } from '../../src-shared/model/outbox.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** How many messages can be taken back after the server has them. */
const mostRecentSends = 20

/** What a window offered to the last moment gets this much longer: the answer it waits for may be a moment away. */
const patienceMs = 3_000

/** A message that was written a moment ago. */
export interface RecentSend {
  readonly conversation: Conversation
  readonly content: string
  /** The server's id once it is known. */
  readonly messageId: number | null
  /** When it was written, epoch milliseconds. */
  readonly at: number
}

/**
 * What was written a moment ago (`undoSendMs`), also after the server has it: that is what can be undone. `now` gives
 * epoch milliseconds.
 */
export function createRecentSends(now: () => number) {
  const sends = new Map<LocalId, RecentSend>()
  return {
    add(id: LocalId, { conversation, content }: Pick<RecentSend, 'conversation' | 'content'>): void {
      sends.set(id, { conversation, content, messageId: null, at: now() })
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
      if (sent !== undefined && now() - sent.at <= undoSendMs + patienceMs) return sent
      throw new FailureError({
        kind: 'rejected',
        code: 'TOO_LATE',
        message: t.failures.cannotTakeBack,
        status: 0,
      })
    },
  }
}
