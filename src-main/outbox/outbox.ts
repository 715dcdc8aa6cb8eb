import { FailureError, failureOf, type Failure } from '../../src-shared/failure.ts'
import type { Action, ActionName } from '../../src-shared/bridge/actions.ts'
import { localId, messageId, type LocalId, type UserId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { retryDelayMs, unlessSetBack } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { hasMessage } from '../store/messages.ts'
import {
  forgetWaits,
  insertOutboxRow,
  outboxRow,
  outboxRows,
  removeOutboxRow,
  undecided,
  updateOutboxRow,
  type OutboxRow,
} from '../store/outbox.ts'
import { offlineActions } from './actions/index.ts'
import type { EffectContext, OfflineAction, SendContext } from './offline-action.ts'

/** How many lanes are sent side by side. */
const mostLanes = 4
/** How long until a disk that took nothing is asked again. */
const deviceRetryMs = 10_000
/** How many messages can be taken back after the server has them. */
const mostRecentSends = 20

/**
 * Everything a person did that the server does not know yet.
 *
 * ```
 *  (enqueue) ─► waiting ─► sending ─┬─ accepted by the server ─────► accepted
 *                  ▲                ├─ never arrived · 429 · 5xx ──► waiting   (nextAttemptAt)
 *                  │                ├─ no answer, not repeatable ──► unsure ─► looked up; else the person decides
 *                  │                └─ refused ────────────────────► refused ─► the person edits or discards
 *                  └───────────────────────── the person retries ──────────────┘
 *
 *  (any state) ── its own message is in the cache ──► (row deleted)
 * ```
 *
 * 1. `enqueue` has the row and its local effect on disk, in one transaction, when it returns.
 * 2. Within a lane nothing overtakes; a refused or unsure message holds its own conversation back, nothing else.
 * 3. What may not be repeated is never sent twice without the server having been asked.
 */
export interface Outbox {
  enqueue(action: Action): LocalId
  /** In the transaction of every server write, last: puts the effects of what waits back. */
  reapply(db: WritableDb): void
  ownMessageArrived(db: WritableDb, id: string, messageId: number): void
  setOnline(online: boolean): void
  /** Cuts every wait short. */
  wake(): void
  retry(id: LocalId): void
  discard(id: LocalId): void
  /** Takes a message that has not left out of the outbox; null when it has left or is none. */
  takeBack(id: LocalId): { conversation: Conversation; content: string } | null
  /**
   * Takes back one of the last messages: out of the outbox, or, when the server has it, by having it deleted there.
   * Null while nobody knows which of the two is right: it is on its way. Fails with TOO_LATE for any other message.
   */
  undoSend(id: LocalId): { conversation: Conversation; content: string } | null
}

export interface OutboxParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  log(line: string): void
  /** The queue whose events echo our local ids. */
  queueId(): string | null
  /** Fetches these messages anew, or everything when none are named. */
  refresh(messageIds: readonly number[]): Promise<void>
}

/** Starts the outbox of one account; sends go on until `signal` aborts. */
export function createOutbox(parts: OutboxParts): Outbox {
  const { store, clock, signal } = parts
  const effects: EffectContext = { ownUserId: parts.ownUserId, clock }
  const busyLanes = new Set<string>()
  /** What was written last in this run of the app, also after the server has it. */
  const recentSends = new Map<
    LocalId,
    { readonly conversation: Conversation; readonly content: string; messageId: number | null }
  >()
  const noteSent = (id: LocalId, messageId: number | null) => {
    const sent = recentSends.get(id)
    if (sent !== undefined && messageId !== null) sent.messageId = messageId
  }
  let online = false
  let pausedUntil = 0
  let kick = new AbortController()

  // A process that ended while sending does not know what became of it.
  store.write((db) => {
    for (const row of outboxRows(db)) {
      if (row.state !== 'sending') continue
      updateOutboxRow(db, row.localId, {
        state: isRepeatable(row) ? 'waiting' : 'unsure',
        nextAttemptAt: null,
      })
    }
  })

  const wake = () => {
    kick.abort()
    kick = new AbortController()
  }

  const newLocalId = () =>
    localId(`o${clock.now().toString(36)}${Math.floor(clock.random() * 2 ** 40).toString(36)}`)

  /** The first row of each lane that holds the lane, in order. */
  const heads = (): OutboxRow[] => {
    const seen = new Set<string>()
    return outboxRows(store.db).filter((row) => {
      if (row.state === 'accepted' || (row.state === 'refused' && isRepeatable(row))) return false
      if (seen.has(row.lane)) return false
      seen.add(row.lane)
      return true
    })
  }

  const dueAt = (row: OutboxRow): number | null => {
    if (row.state === 'refused' || row.action === null || busyLanes.has(row.lane)) return null
    if (row.state === 'unsure' && row.reason === undecided) return null
    return unlessSetBack(Math.max(row.nextAttemptAt ?? 0, pausedUntil), clock.now())
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

  const accepted = (row: OutboxRow, messageId: number | null) => {
    noteSent(row.localId, messageId)
    return settle((db) => {
      // The echo may have come before the answer; then the row is gone already and this changes nothing.
      if (messageId === null || hasMessage(db, messageId)) removeOutboxRow(db, row.localId)
      else
        updateOutboxRow(db, row.localId, { state: 'accepted', messageId, reason: null, nextAttemptAt: null })
    })
  }

  const refused = async (row: OutboxRow, reason: string) => {
    await settle((db) => updateOutboxRow(db, row.localId, { state: 'refused', reason, nextAttemptAt: null }))
    if (signal.aborted) return
    if (row.action === null || !isRepeatable(row)) return
    const concerns = actionFor(row.action).concerns(row.action)
    try {
      await parts.refresh(concerns)
    } catch (error) {
      parts.log(`outbox: the truth could not be fetched: ${failureOf(error).message}`)
    }
  }

  const lookUp = async (row: OutboxRow, action: Action, context: SendContext) => {
    const kind = actionFor(action)
    const claimed = new Set(
      outboxRows(store.db).flatMap((other) => (other.messageId === null ? [] : [other.messageId])),
    )
    let found: number | null | undefined
    try {
      found = await kind.find?.(action, row, context, claimed)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'rejected') found = undefined
      else {
        if (!signal.aborted) await retryLater(row, 'unsure', failure)
        return
      }
    }
    if (signal.aborted) return
    if (found === undefined) {
      store.write((db) =>
        updateOutboxRow(db, row.localId, { state: 'unsure', reason: undecided, nextAttemptAt: null }),
      )
    } else if (found === null) {
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
    }
    // Still sending though nobody sends it: what became of it could not be written down.
    if (row.state === 'unsure' || (row.state === 'sending' && !kind.isRepeatable)) {
      await lookUp(row, action, context)
      return
    }
    store.write((db) =>
      updateOutboxRow(db, row.localId, { state: 'sending', sentAt: row.sentAt ?? clock.now() }),
    )
    let sent: Awaited<ReturnType<typeof kind.send>>
    try {
      sent = await kind.send(action, context)
    } catch (error) {
      if (signal.aborted) return
      const failure = failureOf(error)
      switch (failure.kind) {
        case 'rejected':
          if (kind.isDoneBy?.(failure.code) === true) await accepted(row, null)
          else await refused(row, failure.message)
          break
        case 'offline':
          await retryLater(row, failure.mayHaveArrived && !kind.isRepeatable ? 'unsure' : 'waiting', failure)
          break
        case 'serverFault':
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
  }

  const run = async () => {
    while (!signal.aborted) {
      const until = AbortSignal.any([signal, kick.signal])
      let waitMs = 60 * 60 * 1_000
      if (online) {
        for (const row of heads()) {
          const due = dueAt(row)
          if (due === null || row.action === null) continue
          if (due > clock.now()) waitMs = Math.min(waitMs, due - clock.now())
          else if (busyLanes.size < mostLanes) {
            busyLanes.add(row.lane)
            attempt(row, row.action)
              .catch((error: unknown) => {
                parts.log(`outbox: ${failureOf(error).message}`)
                // What fails at once would fail as fast as the machine can.
                return clock.wait(deviceRetryMs, signal)
              })
              .finally(() => {
                busyLanes.delete(row.lane)
                wake()
              })
          }
        }
      }
      await clock.wait(waitMs, until)
    }
  }
  run().catch((error: unknown) => parts.log(`outbox: ${failureOf(error).message}`))

  const demand = (id: LocalId): OutboxRow => {
    const row = outboxRow(store.db, id)
    if (row === undefined) {
      throw new FailureError({
        kind: 'rejected',
        code: 'NOT_WAITING',
        message: 'This is not waiting any more: the server has it.',
        status: 0,
      })
    }
    return row
  }

  const outbox: Outbox = {
    enqueue(action) {
      const id = newLocalId()
      const kind = actionFor(action)
      store.write((db) => {
        const lane = kind.lane(action)
        const last = outboxRows(db).findLast((row) => row.lane === lane && row.state !== 'accepted')
        const joined = last === undefined ? undefined : join(last, action, kind)
        if (joined === undefined) {
          insertOutboxRow(db, {
            localId: id,
            action,
            lane,
            conversationKey: kind.conversation(action),
            createdAt: clock.now(),
          })
        } else if (last !== undefined) {
          if (joined === null) removeOutboxRow(db, last.localId)
          else updateOutboxRow(db, last.localId, { action: joined })
        }
        kind.apply(db, action, effects)
      })
      if (action.name === 'send-message') {
        recentSends.set(id, {
          conversation: action.conversation,
          content: action.content,
          messageId: null,
        })
        const [oldest] = recentSends.keys()
        if (recentSends.size > mostRecentSends && oldest !== undefined) recentSends.delete(oldest)
      }
      wake()
      return id
    },
    reapply(db) {
      for (const row of outboxRows(db)) {
        if (row.state === 'accepted') {
          if (row.messageId !== null && hasMessage(db, row.messageId)) removeOutboxRow(db, row.localId)
        } else if (row.state !== 'refused' && row.action !== null) {
          actionFor(row.action).apply(db, row.action, effects)
        }
      }
    },
    ownMessageArrived(db, id, messageId) {
      noteSent(localId(id), messageId)
      removeOutboxRow(db, localId(id))
    },
    setOnline(value) {
      if (value === online) return
      online = value
      if (online) {
        // The network is back: what waited for its next attempt goes at once.
        store.write(forgetWaits)
      }
      wake()
    },
    wake() {
      if (online) store.write(forgetWaits)
      wake()
    },
    retry(id) {
      const row = demand(id)
      if (row.state !== 'refused' && row.state !== 'unsure' && row.state !== 'waiting') return
      store.write((db) => {
        updateOutboxRow(db, id, { state: 'waiting', reason: null, nextAttemptAt: null })
        if (row.action !== null) actionFor(row.action).apply(db, row.action, effects)
      })
      wake()
    },
    discard(id) {
      const row = demand(id)
      store.write((db) => removeOutboxRow(db, id))
      wake()
      if (row.action === null || row.state === 'refused' || row.action.name === 'send-message') return
      parts.refresh(actionFor(row.action).concerns(row.action)).catch((error: unknown) => {
        parts.log(`outbox: the truth could not be fetched: ${failureOf(error).message}`)
      })
    },
    takeBack(id) {
      const row = demand(id)
      if (row.action?.name !== 'send-message' || row.state === 'sending' || row.state === 'accepted')
        return null
      const { conversation, content } = row.action
      store.write((db) => removeOutboxRow(db, id))
      wake()
      return { conversation, content }
    },
    undoSend(id) {
      if (outboxRow(store.db, id) !== undefined) {
        const taken = outbox.takeBack(id)
        if (taken !== null) return taken
      }
      const sent = recentSends.get(id)
      if (sent === undefined) {
        throw new FailureError({
          kind: 'rejected',
          code: 'TOO_LATE',
          message: 'This message cannot be taken back any more. It can be edited or deleted where it stands.',
          status: 0,
        })
      }
      if (sent.messageId === null) return null
      recentSends.delete(id)
      outbox.enqueue({ name: 'delete-message', messageId: messageId(sent.messageId) })
      return { conversation: sent.conversation, content: sent.content }
    },
  }
  return outbox
}

function actionFor(action: Action): OfflineAction<ActionName> {
  // The entry of the table has the type of its own name; TypeScript cannot follow that through the lookup.
  return offlineActions[action.name] as OfflineAction<ActionName>
}

function isRepeatable(row: OutboxRow): boolean {
  return row.action !== null && actionFor(row.action).isRepeatable
}

/** See `OfflineAction.join`; only what has not left may vanish without a trace. */
function join(last: OutboxRow, action: Action, kind: OfflineAction<ActionName>): Action | null | undefined {
  if (last.state !== 'waiting' || last.action === null || last.action.name !== action.name) return undefined
  const joined = kind.join?.(last.action, action)
  return joined === null && last.sentAt !== null ? undefined : joined
}
