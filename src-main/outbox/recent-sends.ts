import { refusedHere } from '../../src-shared/failure.ts'
import type { LocalId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { undoSendMs } from '../../src-shared/model/outbox.ts'
import { t } from '../../src-shared/texts/texts.ts'

/** How many messages can be undone after the server has them. */
const mostRecentSends = 20

/** Extra time for an undo that was requested at the last moment, in milliseconds: the message may still be sending. */
const patienceMs = 3_000

/** A message that was written within the last seconds. */
export interface RecentSend {
  readonly conversation: Conversation
  readonly content: string
  /** The server's id once it is known. */
  readonly messageId: number | null
  /** When it was written, epoch milliseconds. */
  readonly at: number
}

/**
 * The messages that were written within `undoSendMs` and can be undone, whether or not the server has them. `now`
 * returns epoch milliseconds.
 */
export function createRecentSends(now: () => number) {
  const sends = new Map<LocalId, RecentSend>()
  return {
    add(id: LocalId, { conversation, content }: Pick<RecentSend, 'conversation' | 'content'>): void {
      sends.set(id, { conversation, content, messageId: null, at: now() })
      const [oldest] = sends.keys()
      if (sends.size > mostRecentSends && oldest !== undefined) sends.delete(oldest)
    },
    /** Records the id that the server assigned; does nothing if the message is not recent or the id is null. */
    arrived(id: LocalId, messageId: number | null): void {
      const sent = sends.get(id)
      if (sent !== undefined && messageId !== null) sends.set(id, { ...sent, messageId })
    },
    forget: (id: LocalId): void => void sends.delete(id),
    /** Throws a refusal (TOO_LATE) if the message is not recent. */
    demand(id: LocalId): RecentSend {
      const sent = sends.get(id)
      if (sent !== undefined && now() - sent.at <= undoSendMs + patienceMs) return sent
      throw refusedHere('TOO_LATE', t.failures.cannotTakeBack)
    },
  }
}
