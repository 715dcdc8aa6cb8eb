import type { ActionName, ActionOf } from '../../src-shared/bridge/actions.ts'
import type { LocalId, UserId } from '../../src-shared/ids.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { OutboxRow } from '../store/outbox.ts'
import type { ReadableDb, WritableDb } from '../store/database.ts'

/** What a request needs beside its action. */
export interface SendContext {
  readonly connection: Connection
  readonly signal: AbortSignal
  readonly localId: LocalId
  readonly ownUserId: UserId
  /** The queue whose events echo our local id; null while none is registered. */
  readonly queueId: string | null
  readonly db: ReadableDb
}

/** What a local effect needs beside its action. */
export interface EffectContext {
  readonly ownUserId: UserId
  readonly clock: Clock
}

/** Everything there is to know about one kind of change. */
export interface OfflineAction<N extends ActionName> {
  /** Whether sending it twice equals sending it once. */
  readonly isRepeatable: boolean
  /** Changes in one lane are sent in order; lanes are sent side by side. */
  lane(action: ActionOf<N>): string
  /** The key of the conversation it is shown in; null for none. */
  conversation(action: ActionOf<N>): string | null
  /** The local effect. Idempotent: it runs again after every server write that may have undone it. */
  apply(db: WritableDb, action: ActionOf<N>, context: EffectContext): void
  /** The request. Answers the server's id of a message that it made, else null. */
  send(action: ActionOf<N>, context: SendContext): Promise<number | null>
  /** Whether a refusal with this code means that the server has already what was asked for. */
  isDoneBy?(code: string): boolean
  /** Messages whose truth is to be fetched after a refusal. */
  concerns(action: ActionOf<N>): readonly number[]
  /**
   * What remains of two changes of this kind when a new one follows one that has not left: both (undefined), one
   * in place of both, or nothing (null) because they cancel.
   */
  join?(earlier: ActionOf<N>, later: ActionOf<N>): ActionOf<N> | null | undefined
  /**
   * For what is not repeatable, after a request without an answer: the id of the message if the server has it,
   * null if it has not, undefined if nobody can tell.
   */
  find?(
    action: ActionOf<N>,
    row: OutboxRow,
    context: SendContext,
    claimed: ReadonlySet<number>,
  ): Promise<number | null | undefined>
}
