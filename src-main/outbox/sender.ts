import { failureOf, type Failure } from '../../src-shared/failure.ts'
import type { Action } from '../../src-shared/bridge/actions.ts'
import type { LocalId, UserId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { lingerMs, waitAfter } from '../api/backoff.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Connection } from '../api/connection.ts'
import { forgetQueue } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { hasMessage, newestIn } from '../store/messages.ts'
import { wantAnew } from '../store/missing.ts'
import { undecided } from '../../src-shared/model/outbox.ts'
import { outboxRow, outboxRows, removeOutboxRow, updateOutboxRow, type OutboxRow } from '../store/outbox.ts'
import { rangesOf } from '../store/ranges.ts'
import { actionFor } from './actions/index.ts'
import { endSent } from './end-sent.ts'
import { readyToSend } from './find-made.ts'
import { sendCreation } from './find-created.ts'
import { findSent } from './find-sent.ts'
import { finishCreation } from './creations.ts'
import {
  followTopic,
  hasEchoed,
  hasMovedOnItsWay,
  isRepeatable,
  lanesOf,
  letNextEditStart,
  letNextMovesStart,
  messagesConcerned,
  moveOf,
  saveProgress,
} from './lanes.ts'
import type { OutgoingFiles } from './outgoing-files.ts'
import type { OwnEvents } from './own-events.ts'
import { effectsOf, type SendContext } from './offline-action.ts'
import { unheardMessages } from './unheard-messages.ts'

/** How long until a write that the disk refused is retried, in milliseconds. */
const deviceRetryMs = 10_000

/** What the outbox needs from the other parts of its account. */
export interface OutboxParts {
  readonly store: Store
  readonly connection: Connection
  readonly files: Pick<OutgoingFiles, 'linked' | 'demandLinked' | 'isAwaited' | 'tryAgain' | 'onSettled'>
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  log(line: string): void
  /** The id of the event queue that echoes our local ids; null while none is registered. */
  queueId(): string | null
  /** Resolves once all events that the queue holds now have been applied; rejects if that failed. */
  catchUp(): Promise<void>
  /** Fetches these messages again; registers anew if the list is empty. */
  refresh(messageIds: readonly number[]): Promise<void>
  /** The server changed these messages: answers that were requested before are stale and are fetched again. */
  outdate(messageIds: readonly number[]): void
  /** The server's current time, as far as it is known; epoch milliseconds. */
  serverNow(): number
  /** Whether the person may delete an own message there that was sent at this moment, epoch milliseconds. */
  mayDelete(conversation: Conversation, sentAt: number): boolean
  /** Makes a draft of a message that has no recipient any more. Must be called in the transaction that removes it. */
  keepAsDraft(words: string): void
  /** Starts to ask the server where the topics in doubt are. */
  findTopics(): void
}

/** Sends changes to the server and stores the outcome. */
export interface Sender {
  /** Sends the change, or looks up whether an earlier attempt arrived; resolves once the outcome is on disk. */
  attempt(row: OutboxRow, action: Action): Promise<void>
  /**
   * Blocks the row's lanes for `lingerMs`, because the server may still be working on a request that broke off; for a
   * message, at most until its echo comes.
   */
  rest(row: OutboxRow): void
  /** Whether the lane is blocked by `rest`. */
  isResting(lane: string): boolean
  /** Until when the server accepts no requests (429), epoch milliseconds. */
  readonly pausedUntil: number
  /** An event contradicted a change that is being sent: the server may have applied another one after it, or before. */
  contradict(id: LocalId): void
  /** An event said that this move, which is being sent, is done. Must be called in the transaction of the event. */
  endedByEvent(id: LocalId): void
  /** Fetches what `doubtTruth` noted for a change. What cannot be fetched now stays noted. */
  fetchTruth(action: Action): Promise<void>
}

/** Creates the sender of one account. It sends nothing until `attempt` is called. */
export function createSender(
  parts: OutboxParts & {
    readonly ownEvents: Pick<OwnEvents, 'sent' | 'accepted'>
    /** Called when a lane is free again. */
    wake(): void
    /** Called when the server has the change, with the id of the message if there is one. */
    arrived(id: LocalId, messageId: number | null): void
    /** Called when the server has the scheduled message, snippet or reminder of this row, with its id there. */
    made(row: OutboxRow, id: number): void
  },
): Sender {
  const { store, clock, signal } = parts
  const resting = new Set<OutboxRow>()
  const contradicted = new Set<LocalId>()
  /** Moves that are being sent, and whose event was faster than the answer. */
  const endedMoves = new Set<LocalId>()
  let pausedUntil = 0

  // Not a point in time but a timer, so that a changed clock neither shortens nor extends it.
  const rest = (row: OutboxRow) => {
    resting.add(row)
    void clock.wait(lingerMs, signal).then(() => {
      resting.delete(row)
      parts.wake()
    })
  }

  /** Stores the outcome of a request; retries while the disk fails, because the outcome is known only in memory. */
  const settle = async (work: (db: WritableDb) => void) => {
    while (!signal.aborted) {
      try {
        store.write(work)
        return
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== 'device') throw error
        parts.log(`outbox: what became of a send waits for the disk: ${failure.message}`)
        await clock.wait(deviceRetryMs, signal)
      }
    }
  }

  const retryLater = (row: OutboxRow, state: 'waiting' | 'unsure', failure: Failure) => {
    const attempts = row.attempts + 1
    const waitMs = waitAfter(failure, attempts, clock)
    if (failure.kind === 'rateLimited') pausedUntil = clock.now() + waitMs
    return settle((db) =>
      updateOutboxRow(db, row.localId, { state, attempts, nextAttemptAt: clock.now() + waitMs }),
    )
  }

  /**
   * The server accepted the request. `answer` is what `OfflineAction.send` returned, `versionBefore` the
   * `OfflineAction.cachedVersion` before the request.
   */
  const accepted = async (
    row: OutboxRow,
    answer: number | 'elsewhere' | null,
    versionBefore?: number | null,
  ) => {
    const { action } = row
    const id = answer === 'elsewhere' ? null : answer
    const kind = action === null ? null : actionFor(action)
    const isOfMessage = kind?.creates === undefined && kind?.makes === undefined
    const messageId = isOfMessage ? id : null
    parts.arrived(row.localId, messageId)
    if (kind?.makes !== undefined && id !== null) parts.made(row, id)
    // Until its event comes, an answer that was requested before would revert the change on screen.
    if (action !== null) parts.outdate(messagesConcerned(action))
    // The local effect was reapplied over the event's value, but the server's final value is not known.
    const isDoubtful = contradicted.delete(row.localId)
    let unheard: readonly number[] = []
    await settle((db) => {
      unheard = unheardMessages(db, row, messageId)
      wantAnew(db, unheard)
      if (action !== null && kind?.cachedVersion?.(db, action) === versionBefore)
        kind?.accepted?.(db, action, effectsOf(parts))
      if (action !== null && isDoubtful) doubtTruth(db, action)
      // Unless what was to follow it has followed: what has the old name by now is another topic.
      // The row is back if that event's transaction failed.
      const isEnded = endedMoves.has(row.localId) && outboxRow(db, row.localId) === undefined
      if (answer !== 'elsewhere' && !isEnded) {
        const move = moveOf(row)
        if (move !== null) followTopic(db, move.from, move.to)
        letNextMovesStart(db, row)
      }
      if (kind?.creates !== undefined && id !== null) finishCreation(db, row, id, effectsOf(parts))
      // If the echo came before the answer, the row is already gone and this changes nothing.
      if (hasMovedOnItsWay(db, row))
        updateOutboxRow(db, row.localId, { state: 'waiting', nextAttemptAt: null })
      else if (messageId === null) removeOutboxRow(db, row.localId)
      else if (hasMessage(db, messageId)) endSent(db, row, messageId, parts.files)
      else
        updateOutboxRow(db, row.localId, { state: 'accepted', messageId, reason: null, nextAttemptAt: null })
    })
    if (action !== null && isDoubtful && !signal.aborted) await fetchTruth(action)
    // What is sent next in its lane need not wait for that.
    if (unheard.length > 0 && !signal.aborted) void fetchAnew(unheard)
  }

  const refused = async (row: OutboxRow, reason: string) => {
    contradicted.delete(row.localId)
    let doubted = isRepeatable(row) ? row.action : null
    await settle((db) => {
      // What was refused names a place that the row does not name any more.
      if (hasMovedOnItsWay(db, row)) {
        updateOutboxRow(db, row.localId, { state: 'waiting', nextAttemptAt: null })
        doubted = null
        return
      }
      updateOutboxRow(db, row.localId, { state: 'refused', reason, nextAttemptAt: null })
      letNextEditStart(db, row, { mayHaveArrived: false })
      if (doubted !== null) doubtTruth(db, doubted)
    })
    if (doubted !== null && !signal.aborted) await fetchTruth(doubted)
  }

  const fetchTruth = (action: Action) => fetchAnew(messagesConcerned(action))

  const fetchAnew = async (messageIds: readonly number[]) => {
    try {
      await parts.refresh(messageIds)
    } catch (error) {
      parts.log(`outbox: the truth is fetched later: ${failureOf(error).message}`)
    }
  }

  const refusedUnlessDone = async (
    row: OutboxRow,
    action: Action,
    failure: Failure & { kind: 'rejected' },
    context: SendContext,
    versionBefore?: number | null,
  ) => {
    let isAlreadyDone: boolean | number | null | undefined
    try {
      isAlreadyDone = await actionFor(action).isAlreadyDone?.(action, failure.code, context)
    } catch (error) {
      if (signal.aborted) return
      const unanswered = failureOf(error)
      // What is gone cannot be asked for either.
      if (unanswered.kind === 'rejected') await refused(row, failure.message)
      else await retryLater(row, 'waiting', unanswered)
      return
    }
    if (signal.aborted) return
    if (typeof isAlreadyDone === 'number') await accepted(row, isAlreadyDone, versionBefore)
    else if (isAlreadyDone === true) await accepted(row, null, versionBefore)
    else await refused(row, failure.message)
  }

  /** Ids of messages that are known to belong to other rows. */
  const claimed = (): number[] =>
    outboxRows(store.db).flatMap(({ messageId }) => (messageId === null ? [] : [messageId]))

  const lookUp = async (row: OutboxRow, action: Action, context: SendContext) => {
    let found: Awaited<ReturnType<typeof findSent>>
    try {
      found = await findSent(parts, row, action, context, claimed)
    } catch (error) {
      if (!signal.aborted) await retryLater(row, 'unsure', failureOf(error))
      return
    }
    if (signal.aborted || found === 'settled') return
    if (found === 'undecided') {
      store.write((db) =>
        updateOutboxRow(db, row.localId, { state: 'unsure', reason: undecided, nextAttemptAt: null }),
      )
    } else if (found === 'absent') {
      store.write((db) => updateOutboxRow(db, row.localId, { state: 'waiting', nextAttemptAt: null }))
    } else await accepted(row, found === 'arrived' ? null : found)
  }

  const attempt = (row: OutboxRow, wanted: Action) =>
    send(row, wanted).finally(() => endedMoves.delete(row.localId))

  const send = async (row: OutboxRow, wanted: Action) => {
    const kind = actionFor(wanted)
    const context: SendContext = {
      connection: parts.connection,
      signal,
      localId: row.localId,
      ownUserId: parts.ownUserId,
      queueId: parts.queueId(),
      db: store.db,
      clock,
      serverNow: () => parts.serverNow(),
      refetchWhenDone: () => void contradicted.add(row.localId),
      saveProgress: (rest, key) => store.write((db) => saveProgress(db, row, rest, parts.ownUserId, key)),
      files: parts.files,
    }
    // State 'sending' without a request: the outcome of the last attempt could not be stored.
    if (row.state === 'unsure' || (row.state === 'sending' && !kind.isRepeatable)) {
      await lookUp(row, wanted, context)
      return
    }
    const action = readyToSend(store.db, wanted)
    store.write((db) => {
      const first =
        row.sentAt === null
          ? { sentAt: clock.now(), sentAfter: newestKnown(db), sentQueue: context.queueId }
          : {}
      updateOutboxRow(db, row.localId, {
        state: 'sending',
        ...first,
        ...(action === wanted ? {} : { action }),
      })
    })
    const versionBefore = kind.cachedVersion?.(store.db, action)
    parts.ownEvents.sent(row)
    let sent: Awaited<ReturnType<typeof kind.send>>
    try {
      const isCreation = kind.creates !== undefined
      sent = await (isCreation ? sendCreation(row, action, context) : kind.send(action, context))
    } catch (error) {
      if (signal.aborted) return
      const failure = failureOf(error)
      switch (failure.kind) {
        case 'rejected':
          await refusedUnlessDone(row, action, failure, context, versionBefore)
          break
        case 'offline':
          if (failure.mayHaveArrived) rest(row)
          await retryLater(row, failure.mayHaveArrived && !kind.isRepeatable ? 'unsure' : 'waiting', failure)
          break
        case 'serverFault':
          // A gateway may time out while the server behind it still works on the request.
          rest(row)
          await retryLater(row, kind.isRepeatable ? 'waiting' : 'unsure', failure)
          break
        case 'malformed':
          await retryLater(row, kind.isRepeatable ? 'waiting' : 'unsure', failure)
          break
        case 'rateLimited':
        case 'unauthorized':
          await retryLater(row, 'waiting', failure)
          break
        case 'device':
        case 'bug':
          parts.log(`outbox: ${failure.message}`)
          await retryLater(row, kind.isRepeatable ? 'waiting' : 'unsure', failure)
          break
      }
      return
    }
    parts.ownEvents.accepted(row, action)
    await accepted(row, sent, versionBefore)
  }

  return {
    attempt,
    rest,
    isResting: (lane) => [...resting].some((row) => lanesOf(row).includes(lane) && !hasEchoed(store.db, row)),
    get pausedUntil() {
      return pausedUntil
    },
    contradict: (id) => void contradicted.add(id),
    endedByEvent: (id) => void endedMoves.add(id),
    fetchTruth,
  }
}

/**
 * Notes in the file that the cache may be wrong about what a change concerns: these messages are fetched again or, if it
 * concerns none, the account registers anew.
 */
export function doubtTruth(db: WritableDb, action: Action): void {
  const ids = messagesConcerned(action)
  if (ids.length > 0) wantAnew(db, ids)
  else forgetQueue(db)
}

/** The highest message id that this device has seen from the server, including messages deleted since. */
function newestKnown(db: WritableDb): number {
  const waiting = outboxRows(db).flatMap(({ action, messageId }) => [
    messageId ?? 0,
    ...(action === null ? [] : messagesConcerned(action)),
  ])
  const heard = rangesOf(db, 'combined').map(({ newestId }) => newestId)
  return Math.max(newestIn(db, { kind: 'combined' }), ...heard, ...waiting)
}
