import { failureOf, type Failure } from '../../src-shared/failure.ts'
import type { Action } from '../../src-shared/bridge/actions.ts'
import type { LocalId, UserId } from '../../src-shared/ids.ts'
import { lingerMs, retryDelayMs } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { hasMessage, newestIn } from '../store/messages.ts'
import { outboxRows, removeOutboxRow, undecided, updateOutboxRow, type OutboxRow } from '../store/outbox.ts'
import { rangesOf } from '../store/ranges.ts'
import { actionFor } from './actions/index.ts'
import { endSent } from './end-sent.ts'
import { findSent } from './find-sent.ts'
import { finishCreation } from './creations.ts'
import { isRepeatable, lanesOf } from './lanes.ts'
import type { OutgoingFiles } from './outgoing-files.ts'
import type { SendContext } from './offline-action.ts'

/** How long until a disk that took nothing is asked again. */
const deviceRetryMs = 10_000

/** What the outbox needs of the rest of its account. */
export interface OutboxParts {
  readonly store: Store
  readonly connection: Connection
  readonly files: Pick<OutgoingFiles, 'linked' | 'demandLinked' | 'isAwaited' | 'tryAgain' | 'onChange'>
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  log(line: string): void
  /** The queue whose events echo our local ids. */
  queueId(): string | null
  /** Resolves once everything that the server's queue holds now has been heard; rejects when that failed. */
  hearOut(): Promise<void>
  /** Fetches these messages anew, or everything when none are named. */
  refresh(messageIds: readonly number[]): Promise<void>
  /** The server changed these messages: what is under way of them may be older, and is asked for again. */
  outdate(messageIds: readonly number[]): void
  /** What the server's clock shows now, as far as it is known; in epoch milliseconds. */
  serverNow(): number
  /** Keeps the words of a message that has nowhere to go any more. In the transaction that takes it away. */
  keepAsDraft(words: string): void
  /** Has topics in doubt looked for. */
  findTopics(): void
}

/** Carries one change after the other to the server and writes down what became of it. */
export interface Sender {
  /** Sends it, or looks up what became of it before; resolves once that is on disk. */
  attempt(row: OutboxRow, action: Action): Promise<void>
  /** Keeps its lanes shut until a request that broke off is over at the server too, whatever the clocks say. */
  rest(row: OutboxRow): void
  isResting(lane: string): boolean
  /** Until when the server wants to be left alone, epoch milliseconds. */
  readonly pausedUntil: number
  /** The server spoke against a change that is on its way: it had another after it, or before. */
  contradict(id: LocalId): void
  /** Fetches what a change was about, since what is shown of it may be wrong. */
  fetchTruth(action: Action): Promise<void>
}

/** Starts sending; goes on until the account's signal aborts. */
export function createSender(
  parts: OutboxParts & {
    /** A lane is free again. */
    wake(): void
    /** The server has it; its id where that is known. */
    arrived(id: LocalId, messageId: number | null): void
  },
): Sender {
  const { store, clock, signal } = parts
  const restingLanes = new Set<string>()
  const contradicted = new Set<LocalId>()
  let pausedUntil = 0

  /** Keeps its lanes shut until a request that broke off is over at the server too, whatever the clocks say. */
  const rest = (row: OutboxRow) => {
    const lanes = lanesOf(row)
    for (const lane of lanes) restingLanes.add(lane)
    void clock.wait(lingerMs, signal).then(() => {
      for (const lane of lanes) restingLanes.delete(lane)
      parts.wake()
    })
  }

  /** Writes what became of a send. Nobody else knows it, so a disk that takes nothing is asked until it does. */
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
    const waitMs =
      failure.kind === 'rateLimited' ? failure.retryAfterMs : retryDelayMs(attempts, () => clock.random())
    if (failure.kind === 'rateLimited') pausedUntil = clock.now() + waitMs
    return settle((db) =>
      updateOutboxRow(db, row.localId, { state, attempts, nextAttemptAt: clock.now() + waitMs }),
    )
  }

  /** The server has it, and what it made has this id there. */
  const accepted = (row: OutboxRow, id: number | null) => {
    const creates = row.action === null ? undefined : actionFor(row.action).creates
    const messageId = creates === undefined ? id : null
    parts.arrived(row.localId, messageId)
    // Its event comes later; a page from before would undo it on the screen until then.
    if (row.action !== null) parts.outdate(actionFor(row.action).concerns(row.action))
    return settle((db) => {
      if (row.action !== null) actionFor(row.action).accepted?.(db, row.action)
      if (creates !== undefined && id !== null) finishCreation(db, row, id, parts)
      // The echo may have come before the answer; then the row is gone already and this changes nothing.
      if (messageId === null) removeOutboxRow(db, row.localId)
      else if (hasMessage(db, messageId)) endSent(db, row, messageId, parts.files)
      else
        updateOutboxRow(db, row.localId, { state: 'accepted', messageId, reason: null, nextAttemptAt: null })
    })
  }

  const refused = async (row: OutboxRow, reason: string) => {
    await settle((db) => updateOutboxRow(db, row.localId, { state: 'refused', reason, nextAttemptAt: null }))
    if (signal.aborted) return
    if (row.action === null || !isRepeatable(row)) return
    await fetchTruth(row.action)
  }

  const fetchTruth = async (action: Action) => {
    try {
      await parts.refresh(actionFor(action).concerns(action))
    } catch (error) {
      parts.log(`outbox: the truth could not be fetched: ${failureOf(error).message}`)
      // Everything anew, then, once there is a way to the server.
      if (!signal.aborted) await parts.refresh([])
    }
  }

  const refusedUnlessDone = async (
    row: OutboxRow,
    action: Action,
    failure: Failure & { kind: 'rejected' },
    context: SendContext,
  ) => {
    let isDone: boolean | number | null | undefined
    try {
      isDone = await actionFor(action).isDone?.(action, failure.code, context)
    } catch (error) {
      if (!signal.aborted) await retryLater(row, 'waiting', failureOf(error))
      return
    }
    if (signal.aborted) return
    if (typeof isDone === 'number') await accepted(row, isDone)
    else if (isDone === true) await accepted(row, null)
    else await refused(row, failure.message)
  }

  /** Messages of the server that are known to be other changes that wait here. */
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
    } else await accepted(row, found)
  }

  const attempt = async (row: OutboxRow, action: Action) => {
    const kind = actionFor(action)
    const context: SendContext = {
      connection: parts.connection,
      signal,
      localId: row.localId,
      ownUserId: parts.ownUserId,
      queueId: parts.queueId(),
      db: store.db,
      clock,
      serverNow: () => parts.serverNow(),
      goOnWith: (rest) => store.write((db) => updateOutboxRow(db, row.localId, { action: rest })),
      files: parts.files,
    }
    // Still sending though nobody sends it: what became of it could not be written down.
    if (row.state === 'unsure' || (row.state === 'sending' && !kind.isRepeatable)) {
      await lookUp(row, action, context)
      return
    }
    store.write((db) => {
      const first =
        row.sentAt === null
          ? { sentAt: clock.now(), sentAfter: newestKnown(db), sentQueue: context.queueId }
          : {}
      updateOutboxRow(db, row.localId, { state: 'sending', ...first })
    })
    let sent: Awaited<ReturnType<typeof kind.send>>
    try {
      sent = await kind.send(action, context)
    } catch (error) {
      if (signal.aborted) return
      const failure = failureOf(error)
      switch (failure.kind) {
        case 'rejected':
          await refusedUnlessDone(row, action, failure, context)
          break
        case 'offline':
          if (failure.mayHaveArrived) rest(row)
          await retryLater(row, failure.mayHaveArrived && !kind.isRepeatable ? 'unsure' : 'waiting', failure)
          break
        case 'serverFault':
          // A gateway gives up before the server behind it does.
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
    await accepted(row, sent)
    // What was put back over the server's word while this was on its way may not be the last word.
    if (contradicted.delete(row.localId) && !signal.aborted) await fetchTruth(action)
  }

  return {
    attempt,
    rest,
    isResting: (lane) => restingLanes.has(lane),
    get pausedUntil() {
      return pausedUntil
    },
    contradict: (id) => void contradicted.add(id),
    fetchTruth,
  }
}

/** The newest message of the server that this device knows of, also when it was deleted here meanwhile. */
function newestKnown(db: WritableDb): number {
  const waiting = outboxRows(db).flatMap(({ action, messageId }) => [
    messageId ?? 0,
    ...(action === null ? [] : actionFor(action).concerns(action)),
  ])
  const heard = rangesOf(db, 'combined').map(({ newestId }) => newestId)
  return Math.max(newestIn(db, { kind: 'combined' }), ...heard, ...waiting)
}
