import type { Action, ActionName, ActionOf } from '../../src-shared/bridge/actions.ts'
import type { LocalId, UserId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { OutgoingFiles } from './outgoing-files.ts'
import type { OutboxRow } from '../store/outbox.ts'
import type { ReadableDb, WritableDb } from '../store/database.ts'
import type { ListedObject, MadeKind } from '../store/objects.ts'

/** What `send` needs besides the action. */
export interface SendContext {
  readonly connection: Connection
  readonly signal: AbortSignal
  readonly localId: LocalId
  readonly ownUserId: UserId
  /** The queue whose events echo our local id; null while none is registered. */
  readonly queueId: string | null
  readonly db: ReadableDb
  readonly clock: Clock
  /** The server's current time, as far as it is known; epoch milliseconds. */
  serverNow(): number
  /**
   * Replaces the stored change by what is left of it, so that the next attempt continues there if this one fails.
   * `key` is what the server calls the thing that it makes, if that is not what later changes call it: they follow.
   */
  saveProgress(rest: Action, key?: string): void
  /** The server leaves out some of it: what the change concerns is fetched again once the request is done. */
  refetchWhenDone(): void
  /** The attached files that the text links to. */
  readonly files: Pick<OutgoingFiles, 'linked' | 'demandLinked'>
}

/** What a local effect needs besides the action. */
export interface EffectContext {
  readonly ownUserId: UserId
  readonly clock: Clock
  /** A text with the server's links to the attached files; null while one is not uploaded. */
  linked(text: string): string | null
}

/** The effect's part of what the outbox has. */
export const effectsOf = ({
  ownUserId,
  clock,
  files,
}: {
  readonly ownUserId: UserId
  readonly clock: Clock
  readonly files: Pick<OutgoingFiles, 'linked'>
}): EffectContext => ({ ownUserId, clock, linked: (text) => files.linked(text) })

/**
 * What is known about a request without an answer, once the server was asked: the id of what it sent or made; that it
 * arrived, if there is no such id; that it did not; or that nobody can tell, so that the person decides.
 */
export type Found = number | 'arrived' | 'absent' | 'undecided'

/**
 * A scheduled message, reminder or snippet, which the server lets anybody make twice. It does not say who made one, so
 * an unanswered request is recognized by what it made. See outbox/find-made.ts.
 */
export interface Makes<N extends ActionName> {
  readonly kind: MadeKind
  /** Fetches all objects of the kind. */
  onServer(context: SendContext): Promise<readonly ListedObject[]>
  /** Whether an object is exactly as the change makes it. */
  isMade(db: ReadableDb, action: ActionOf<N>, one: ListedObject, context: EffectContext): boolean
  /** Whether an object, if it is new, may be what the change made, and somebody has changed it since. */
  mayBeMade(db: ReadableDb, action: ActionOf<N>, one: ListedObject, context: EffectContext): boolean
  /** Where else to look if no object on the server may be it. Without this, it did not arrive. */
  findElsewhere?(
    action: ActionOf<N>,
    row: OutboxRow,
    context: SendContext,
    isOther: (messageId: number) => boolean,
  ): Promise<Exclude<Found, number>>
}

/** Something that the server has, with the moment at which it was created, in UNIX seconds. */
export interface Created {
  readonly id: number
  readonly createdAt: number
}

/**
 * A channel, folder or group created offline is shown at once under a provisional id; changes that depend on it wait
 * until the server has assigned its id.
 */
export interface Creates<N extends ActionName> {
  /** Writes it to the cache under this id. Idempotent; runs whenever `apply` runs, and also for a refused creation. */
  show(db: WritableDb, action: ActionOf<N>, id: number, context: EffectContext): void
  /** The server's id of it if the cache already has it from an event; otherwise null. */
  find(db: ReadableDb, action: ActionOf<N>, context: EffectContext): number | null
  /** Asks the server for what the own user created with the same properties, whatever its name is; see find-created.ts. */
  ownAlike(action: ActionOf<N>, context: SendContext): Promise<readonly Created[]>
  /** Replaces the provisional id in the cache. If the cache already has a row with the server's id, that row wins. */
  renumber(db: WritableDb, from: number, to: number, context: EffectContext): void
  /** Removes it from the cache, because its creation was discarded. */
  forget(db: WritableDb, id: number, context: EffectContext): void
  /** The creation with a later change merged into it; undefined if it cannot be merged. */
  merged(action: ActionOf<N>, later: Action): ActionOf<N> | undefined
}

/** What a change put back that an earlier one had taken away. */
export interface Restored {
  /** The server's id of it. */
  readonly id: number
  /** What is left of the earlier change, to be sent: it had replaced another one. Null for nothing. */
  readonly rest: Action | null
}

/** How one kind of change is stored, shown and sent. */
export interface OfflineAction<N extends ActionName> {
  /** Whether sending it twice has the same result as sending it once. */
  readonly isRepeatable: boolean
  /** Changes in one lane are sent in order; different lanes are sent in parallel. */
  lane(action: ActionOf<N>): string
  /** The key of the conversation it is shown in; without this, none. */
  conversation?(action: ActionOf<N>): string | null
  /**
   * The change, completed with what the outbox list shows of it and what the cache no longer has once it is applied.
   */
  withDetails?(db: ReadableDb, action: ActionOf<N>, context: EffectContext): ActionOf<N>
  /** Another change to enqueue before it, made from what the cache holds now; null for none. */
  prerequisite?(db: ReadableDb, action: ActionOf<N>): Action | null
  /** Whether the cache already shows the result of the change, as after `apply`. */
  isApplied?(db: ReadableDb, action: ActionOf<N>, context: EffectContext): boolean
  /** Set if two of these can cancel each other. One that changes nothing is then not enqueued. */
  readonly mayCancel?: true
  /** The local effect. Idempotent: it runs again after every write of server data that may have overwritten it. */
  apply(db: WritableDb, action: ActionOf<N>, context: EffectContext): void
  /**
   * Sends the request. Returns the server's id of what it sent, made or created; 'elsewhere' if it arrived
   * before and what it moved was moved on since, so that nothing is to follow it; otherwise null.
   */
  send(action: ActionOf<N>, context: SendContext): Promise<number | 'elsewhere' | null>
  /** What the person's retry sends instead of a change that was refused; without this, the same again. */
  forRetry?(action: ActionOf<N>): ActionOf<N>
  /**
   * Whether a refusal with this code means that the server already has the result; asks the server if necessary. For a
   * creation, the server's id of it, or null if the server does not have it.
   */
  isAlreadyDone?(
    action: ActionOf<N>,
    code: string,
    context: SendContext,
  ): boolean | number | null | Promise<boolean | number | null>
  /** Present if the change makes a scheduled message, a reminder or a snippet. It is then not repeatable. */
  readonly makes?: Makes<N>
  /** Present if the change creates a channel, folder or group. */
  readonly creates?: Creates<N>
  /**
   * The whole topic that it moves, and where to; null if it moves none. No message is sent to the topic while it is
   * being moved, and messages that wait follow it.
   */
  moves?(action: ActionOf<N>): { readonly from: Conversation; readonly to: Conversation } | null
  /** Writes the effect of an accepted request before its event arrives. Idempotent. */
  accepted?(db: WritableDb, action: ActionOf<N>, context: EffectContext): void
  /**
   * A number that differs once an event has changed what the action changes. If it is another one than when the request
   * was sent, an event was faster than the answer, and `accepted` is not called.
   */
  cachedVersion?(db: ReadableDb, action: ActionOf<N>): number | null
  /**
   * The messages that it changes; without this, none. They are fetched again after a refusal; answers requested before
   * success are stale.
   */
  concerns?(action: ActionOf<N>): readonly number[]
  /** Set if the cache has what it changes only once its event came, and until then nothing but the outbox shows it. */
  readonly isShownByEvent?: true
  /**
   * What remains when a new change of this kind follows one that was never sent: both (undefined), one that replaces
   * both, or nothing (null) if they cancel each other. If server data was written since the earlier one, null leaves
   * the later one, because the state underneath may have changed.
   */
  join?(earlier: ActionOf<N>, later: ActionOf<N>): ActionOf<N> | null | undefined
  /** What a later change of this kind is once the server calls by `key` what `before`, which it was made after, makes. */
  follow?(later: ActionOf<N>, before: ActionOf<N>, key: string, ownUserId: UserId): ActionOf<N>
  /**
   * What the server data written just now says of what it makes: how later changes call that from now on (`key`), and
   * what is left of the change (null: the server has it). Returns null if it says nothing.
   */
  heard?(
    db: ReadableDb,
    action: ActionOf<N>,
    ownUserId: UserId,
  ): { readonly key: string; readonly rest: ActionOf<N> | null } | null
  /** Whether it may overtake an earlier change of the same lane, in order to be joined with one before that. */
  mayOvertake?(action: ActionOf<N>, earlier: Action): boolean
  /**
   * Puts back what an earlier change took away; returns null, and writes nothing, if it took away something else. Then
   * neither of the two is sent. Called only if the earlier one was never sent and no server data was written since.
   */
  restores?(db: WritableDb, action: ActionOf<N>, earlier: Action, context: EffectContext): Restored | null
  /** Whether it cancels an earlier change of another kind, as when `join` returns null. */
  undoes?(action: ActionOf<N>, earlier: Action): boolean
  /**
   * For changes that are not repeatable and have no `makes`: looks for the message of a request without an answer.
   * `isOther` is true for messages that are certainly not this one.
   */
  find?(
    action: ActionOf<N>,
    row: OutboxRow,
    context: SendContext,
    isOther: (messageId: number) => boolean,
  ): Promise<Found>
}
