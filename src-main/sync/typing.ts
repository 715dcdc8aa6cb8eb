import { users } from '../../src-shared/api/users.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { UserId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store } from '../store/database.ts'
import { expireTyping, forgetTyping } from '../store/users.ts'

/** Takes typing notices back whose end nobody announced. */
export interface TypingExpiry {
  /** After events: the next expiry may have moved. */
  reschedule(): void
}

/** Starts taking them back, until `signal` aborts; those of the last run go at once. */
export function startTypingExpiry(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  log(line: string): void
}): TypingExpiry {
  const { store, clock, signal } = parts
  let timer = new AbortController()
  const reschedule = () => {
    timer.abort()
    timer = new AbortController()
    const { signal: cancelled } = timer
    const next = store.write((db) => expireTyping(db, clock.now()))
    if (next === null) return
    clock
      .wait(Math.max(0, next - clock.now()), AbortSignal.any([signal, cancelled]))
      .then(() => {
        if (!signal.aborted && !cancelled.aborted) reschedule()
      })
      // A disk that takes nothing: the next event tries again.
      .catch((error: unknown) => parts.log(`typing: ${failureOf(error).message}`))
  }
  // Whoever was typing when the last process ended has long stopped.
  store.write((db) => forgetTyping(db))
  return { reschedule }
}

/** Tells the others of a conversation that the person writes, or has stopped. Rejects with a `FailureError`. */
export async function tellTyping(
  parts: { readonly connection: Connection; readonly ownUserId: UserId; readonly signal: AbortSignal },
  conversation: Conversation,
  isTyping: boolean,
): Promise<void> {
  const op = isTyping ? 'start' : 'stop'
  await parts.connection.call(
    users.setTypingStatus,
    conversation.kind === 'topic'
      ? { type: 'stream', op, stream_id: conversation.channelId, topic: conversation.topic }
      : {
          type: 'direct',
          op,
          to: conversation.userIds.length > 0 ? [...conversation.userIds] : [parts.ownUserId],
        },
    { signal: parts.signal },
  )
}
