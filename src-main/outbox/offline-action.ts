import type { Action, ActionName, ActionOf } from '../../src-shared/bridge/actions.ts'
import type { LocalId, UserId } from '../../src-shared/ids.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { OutgoingFiles } from './outgoing-files.ts'
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
  readonly clock: Clock
  /** What the server's clock shows now, as far as it is known; in epoch milliseconds. */
  serverNow(): number
  /** What is left of the change, on disk: an attempt that breaks off after this goes on from there. */
  goOnWith(rest: Action): void
  /** The files that texts link to. */
  readonly files: Pick<OutgoingFiles, 'linked' | 'demandLinked'>
}

/** What a local effect needs beside its action. */
export interface EffectContext {
  readonly ownUserId: UserId
  readonly clock: Clock
}

/** What is created is shown at once, under an id of this device, and what depends on it waits until it is numbered. */
export interface Creates<N extends ActionName> {
  /** Shows it under this id. Idempotent: it runs again as `apply` does, also while the server refuses it. */
  show(db: WritableDb, action: ActionOf<N>, id: number, context: EffectContext): void
  /** The server's id of it, once the cache has it; null before. */
  find(db: ReadableDb, action: ActionOf<N>, context: EffectContext): number | null
  /** Gives what is shown the server's id. What the cache has under that already stays as the server told it. */
  renumber(db: WritableDb, from: number, to: number, context: EffectContext): void
  /** It will not be: nothing is shown of it any more. */
  forget(db: WritableDb, id: number, context: EffectContext): void
  /** It as a later change wants it, when that is a part of it. */
  amended(action: ActionOf<N>, later: Action): ActionOf<N> | undefined
}

/** Everything there is to know about one kind of change. */
export interface OfflineAction<N extends ActionName> {
  /** Whether sending it twice equals sending it once. */
  readonly isRepeatable: boolean
  /** Changes in one lane are sent in order; lanes are sent side by side. */
  lane(action: ActionOf<N>): string
  /** The key of the conversation it is shown in; null for none. */
  conversation(action: ActionOf<N>): string | null
  /** The change with what the list of what waits needs of it, and is not here any more once it is applied. */
  noted?(db: ReadableDb, action: ActionOf<N>): ActionOf<N>
  /** A change that goes before it, because this device knows more now than when the request leaves. */
  first?(db: ReadableDb, action: ActionOf<N>): Action | null
  /** Whether everything here is as the change wants it. */
  isSo?(db: ReadableDb, action: ActionOf<N>, context: EffectContext): boolean
  /** Whether two of it can cancel, so that one that changes nothing must not wait. */
  readonly mayCancel?: true
  /** The local effect. Idempotent: it runs again after every server write that may have undone it. */
  apply(db: WritableDb, action: ActionOf<N>, context: EffectContext): void
  /** The request. Answers the server's id of a message that it made or of what it created, else null. */
  send(action: ActionOf<N>, context: SendContext): Promise<number | null>
  /**
   * Whether a refusal with this code means that the server has already what was asked for; asks it if need be. Of what
   * is created the server's id, null when it has no such thing.
   */
  isDone?(
    action: ActionOf<N>,
    code: string,
    context: SendContext,
  ): boolean | number | null | Promise<boolean | number | null>
  /**
   * Whether this device heard of what it makes. Then a change that has left is done, though its answer is still to come
   * or was lost: a repeat would miss what is changed or removed from now on, and make it again.
   */
  isHere?(db: ReadableDb, action: ActionOf<N>, context: EffectContext): boolean
  /** For what makes something that has an id. */
  readonly creates?: Creates<N>
  /** What the server's yes means here, before its event tells. Idempotent. */
  accepted?(db: WritableDb, action: ActionOf<N>): void
  /** Messages that it changes: their truth is fetched after a refusal, and what is under way is older than a yes. */
  concerns(action: ActionOf<N>): readonly number[]
  /**
   * What remains of two changes of this kind when a new one follows one that never left: both (undefined), one in
   * place of both, or nothing (null) because everything is again as it was before them. Where the server spoke
   * meanwhile it may not be; then the later one remains.
   */
  join?(earlier: ActionOf<N>, later: ActionOf<N>): ActionOf<N> | null | undefined
  /** Whether its order with an earlier change of the same lane does not matter, so that it may join one before that. */
  mayPass?(action: ActionOf<N>, earlier: Action): boolean
  /** Whether it takes back an earlier change of another kind, as when `join` answers null. */
  undoes?(action: ActionOf<N>, earlier: Action): boolean
  /**
   * For what is not repeatable, after a request without an answer: the id of the message if the server has it,
   * null if it has not, undefined if nobody can tell. `isOther` tells messages that are certainly not this one.
   */
  find?(
    action: ActionOf<N>,
    row: OutboxRow,
    context: SendContext,
    isOther: (messageId: number) => boolean,
  ): Promise<number | null | undefined>
}
