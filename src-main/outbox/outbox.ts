import { FailureError, failureOf } from '../../src-shared/failure.ts'
import type { Action, ActionName } from '../../src-shared/bridge/actions.ts'
import { localId, messageId, newId, type LocalId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { unlessSetBack } from '../api/backoff.ts'
import { keepGoing } from '../api/keep-going.ts'
import type { WritableDb } from '../store/database.ts'
import { isSubscribed } from '../store/channels.ts'
import { hasMessage } from '../store/messages.ts'
import { isLive } from '../store/ranges.ts'
import { doubtIfStale, isInDoubt } from '../store/topics-in-doubt.ts'
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
import { actionFor } from './actions/index.ts'
import { endSent } from './end-sent.ts'
import {
  amendCreation,
  applyEffect,
  awaitsCreation,
  endArrived,
  creationsAmong,
  discardCreation,
  withKnownIds,
} from './creations.ts'
import { isCertainlyHere, isForPlace, isRepeatable, lanesOf, wordsOf } from './lanes.ts'
import type { EffectContext, OfflineAction } from './offline-action.ts'
import { createRecentSends } from './recent-sends.ts'
import { createSender, type OutboxParts } from './sender.ts'

/** How many lanes are sent side by side. */
const mostLanes = 4
/** How long until a change that failed at once is tried again. */
const failedRetryMs = 10_000

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
 *    A change that this version cannot read is refused and holds nothing back.
 * 3. What may not be repeated is never sent twice without the server having been asked.
 * 4. A lane whose last request may still be under way there rests before anything else is asked or sent in it.
 */
export interface Outbox {
  enqueue(action: Action): LocalId
  /** In the transaction of every server write, last: puts the effects of what waits back. */
  reapply(db: WritableDb): void
  ownMessageArrived(db: WritableDb, id: string, messageId: number): void
  /** Somebody moved a whole topic: what never reached the server goes along. In the transaction of the event. */
  topicMoved(db: WritableDb, from: Conversation, to: Conversation): void
  /** Messages that were held back until it was known where their topic is may go. */
  topicsFound(): void
  setOnline(online: boolean): void
  /** Cuts every wait short. */
  wake(): void
  retry(id: LocalId): void
  discard(id: LocalId): void
  /**
   * Puts other words or another moment, epoch milliseconds, into a message that the server is to send later and does
   * not know yet. False when it has left meanwhile: it is the server's to change.
   */
  changeLater(id: LocalId, change: { readonly content: string; readonly sendAt: number }): boolean
  /** Takes a message out of the outbox that the server certainly does not have; null for any other. */
  takeBack(id: LocalId): { conversation: Conversation; content: string } | null
  /**
   * Takes back one of the last messages: out of the outbox, or, when the server has it, by having it deleted there.
   * Null while nobody knows which of the two is right: it is on its way. Fails with TOO_LATE for any other message.
   */
  undoSend(id: LocalId): { conversation: Conversation; content: string } | null
}

/** Starts the outbox of one account; sends go on until `signal` aborts. */
export function createOutbox(parts: OutboxParts): Outbox {
  const { store, clock, signal } = parts
  const effects: EffectContext = { ownUserId: parts.ownUserId, clock }
  const busyLanes = new Set<string>()
  const recentSends = createRecentSends(() => clock.now())
  /** Changes since which nothing of the server was written: below their effects the file is as it was before them. */
  const unanswered = new Set<LocalId>()
  /** Texts that wait for a file that is on its way. */
  let awaiting: string[] = []
  let online = false
  let kick = new AbortController()

  const wake = () => {
    kick.abort()
    kick = new AbortController()
  }

  const sender = createSender({
    ...parts,
    wake,
    arrived: (id, messageId) => recentSends.arrived(id, messageId),
  })

  // A process that ended while sending does not know what became of it, nor whether it is over.
  store.write((db) => {
    for (const row of outboxRows(db)) {
      if (row.state === 'accepted' || row.state === 'refused' || row.reason === undecided) continue
      if (row.action === null) {
        // Nobody can send it; the person sees it, and a version that can read it may retry it.
        updateOutboxRow(db, row.localId, {
          state: 'refused',
          reason: t.failures.unreadableChange,
          nextAttemptAt: null,
        })
        continue
      }
      if (row.sentAt !== null) sender.rest(row)
      if (row.state !== 'sending') continue
      updateOutboxRow(db, row.localId, {
        state: isRepeatable(row) ? 'waiting' : 'unsure',
        nextAttemptAt: null,
      })
    }
  })

  const newLocalId = () => localId(newId('o', clock))

  /** The next attempt is now. A disk that takes nothing leaves the waits as they are; each ends by itself. */
  const cutWaits = () => {
    try {
      store.write(forgetWaits)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'device') throw error
      parts.log(`outbox: waits could not be cut short: ${failure.message}`)
    }
  }

  /** The first row of each lane that holds the lane, in order. */
  const heads = (): OutboxRow[] => {
    const seen = new Set<string>()
    const rows = outboxRows(store.db)
    const creations = creationsAmong(rows)
    return rows.filter((row) => {
      if (row.action === null || row.state === 'accepted') return false
      if (row.state === 'refused' && isRepeatable(row)) return false
      // Nor does it hold up others in a lane that is not only of what it waits for.
      if (awaitsCreation(row.action, creations)) return false
      const lanes = lanesOf(row)
      const isFirst = lanes.every((lane) => !seen.has(lane))
      for (const lane of lanes) seen.add(lane)
      return isFirst
    })
  }

  /** Whether nobody knows yet where the conversation is that something was written for. */
  const isHeld = (action: Action): boolean => isForPlace(action) && isInDoubt(store.db, action.conversation)

  const dueAt = (row: OutboxRow): number | null => {
    if (row.state === 'refused' || row.action === null) return null
    if (lanesOf(row).some((lane) => busyLanes.has(lane) || sender.isResting(lane))) return null
    if (row.state === 'unsure' && row.reason === undecided) return null
    if (row.state === 'waiting' && isHeld(row.action)) return null
    const words = wordsOf(row.action)
    if (row.state === 'waiting' && words !== null && parts.files.isAwaited(words)) {
      awaiting.push(words)
      return null
    }
    // Each by itself: a clock that was set back ends one of the waits, not the other.
    const now = clock.now()
    return Math.max(unlessSetBack(row.nextAttemptAt ?? 0, now), unlessSetBack(sender.pausedUntil, now))
  }

  /** Sends what is due, or waits for it. */
  const goOn = async () => {
    const until = AbortSignal.any([signal, kick.signal])
    let waitMs = 60 * 60 * 1_000
    awaiting = []
    if (online) {
      for (const row of heads()) {
        const due = dueAt(row)
        if (due === null || row.action === null) continue
        if (due > clock.now()) waitMs = Math.min(waitMs, due - clock.now())
        else if (busyLanes.size < mostLanes) {
          const lanes = lanesOf(row)
          for (const lane of lanes) busyLanes.add(lane)
          sender
            .attempt(row, row.action)
            .catch((error: unknown) => {
              parts.log(`outbox: ${failureOf(error).message}`)
              // What fails at once would fail as fast as the machine can.
              return clock.wait(failedRetryMs, signal)
            })
            .finally(() => {
              for (const lane of lanes) busyLanes.delete(lane)
              wake()
            })
        }
      }
    }
    await clock.wait(waitMs, until)
  }
  keepGoing(goOn, { clock, signal, log: (line) => parts.log(`outbox: ${line}`) })
  // Files tell of every piece that left; only what becomes of the whole matters here.
  const stopListening = parts.files.onChange(() => {
    if (awaiting.some((words) => !parts.files.isAwaited(words))) wake()
  })
  signal.addEventListener('abort', () => stopListening())

  const demand = (id: LocalId): OutboxRow => {
    const row = outboxRow(store.db, id)
    if (row === undefined) {
      throw new FailureError({
        kind: 'rejected',
        code: 'NOT_WAITING',
        message: t.failures.sentAlready,
        status: 0,
      })
    }
    return row
  }

  /** Writes a change behind those that wait, or into the last of them. */
  const put = (db: WritableDb, id: LocalId, action: Action) => {
    const kind = actionFor(action)
    if (amendCreation(db, action, kind, effects)) return
    const lane = kind.lane(action)
    const last = outboxRows(db).findLast(
      (row) =>
        row.lane === lane &&
        row.state !== 'accepted' &&
        (row.action === null || kind.mayPass?.(action, row.action) !== true),
    )
    // Nothing to send; and an opposite that follows must not cancel what changed nothing.
    if (kind.mayCancel === true && kind.isSo?.(db, action, effects) === true) return
    const joined = last === undefined ? undefined : join(last, action, kind)
    if (last === undefined || joined === undefined) {
      insertOutboxRow(db, {
        localId: id,
        action,
        lane,
        conversationKey: kind.conversation(action),
        createdAt: clock.now(),
      })
      unanswered.add(id)
    } else if (joined === null && unanswered.has(last.localId)) removeOutboxRow(db, last.localId)
    else updateOutboxRow(db, last.localId, { action: joined ?? action })
    applyEffect(db, { localId: id, state: 'waiting' }, action, effects)
  }

  const outbox: Outbox = {
    enqueue(given) {
      const id = newLocalId()
      const known = withKnownIds(store.db, given)
      const action = actionFor(known).noted?.(store.db, known) ?? known
      let isDoubtful = false
      store.write((db) => {
        if (isForPlace(action)) isDoubtful = doubtIfStale(db, action.conversation)
        const first = actionFor(action).first?.(db, action) ?? null
        if (first !== null) put(db, newLocalId(), first)
        put(db, id, action)
      })
      if (action.name === 'send-message') recentSends.add(id, action)
      if (isDoubtful) parts.findTopics()
      wake()
      return id
    },
    reapply(db) {
      unanswered.clear()
      endArrived(db, effects)
      for (const row of outboxRows(db)) {
        if (row.state === 'accepted') {
          if (row.messageId === null) continue
          if (hasMessage(db, row.messageId)) endSent(db, row, row.messageId, parts.files)
          else if (isGone(db, row)) removeOutboxRow(db, row.localId)
        } else if (row.action !== null) {
          const kind = actionFor(row.action)
          const mayHaveArrived = row.sentAt !== null && row.state !== 'refused'
          if (mayHaveArrived && kind.isHere?.(db, row.action, effects) === true) {
            removeOutboxRow(db, row.localId)
            continue
          }
          const isContradicted = row.state === 'sending' && kind.isSo?.(db, row.action, effects) === false
          if (isContradicted) sender.contradict(row.localId)
          applyEffect(db, row, row.action, effects)
        }
      }
    },
    ownMessageArrived(db, id, messageId) {
      recentSends.arrived(localId(id), messageId)
      const row = outboxRow(db, localId(id))
      if (row !== undefined) endSent(db, row, messageId, parts.files)
    },
    topicMoved(db, from, to) {
      const key = conversationKey(from)
      for (const row of outboxRows(db)) {
        const { action } = row
        if (action === null || !isForPlace(action)) continue
        if (conversationKey(action.conversation) !== key || !isCertainlyHere(row)) continue
        const moved = { ...action, conversation: to }
        // It stays in its lane behind what was written before it, and is in that of its new place too.
        updateOutboxRow(db, row.localId, {
          action: moved,
          conversationKey: actionFor(moved).conversation(moved),
        })
      }
    },
    topicsFound: wake,
    setOnline(value) {
      if (value === online) return
      online = value
      // The network is back: what waited for its next attempt goes at once.
      if (online) cutWaits()
      wake()
    },
    wake() {
      if (online) cutWaits()
      wake()
    },
    retry(id) {
      const row = demand(id)
      if (row.state !== 'refused' && row.state !== 'unsure' && row.state !== 'waiting') return
      const { action } = row
      if (action === null) {
        throw new FailureError({
          kind: 'rejected',
          code: 'UNREADABLE',
          message: t.failures.unreadableChange,
          status: 0,
        })
      }
      store.write((db) => {
        // While the server can be asked, the person's impatience does not send it twice.
        const state = row.state === 'unsure' && row.reason !== undecided ? 'unsure' : 'waiting'
        updateOutboxRow(db, id, { state, reason: null, nextAttemptAt: null })
        actionFor(action).apply(db, action, effects)
      })
      const words = wordsOf(action)
      if (words !== null) parts.files.tryAgain(words)
      wake()
    },
    discard(id) {
      const row = demand(id)
      store.write((db) => {
        removeOutboxRow(db, id)
        discardCreation(db, row, effects, parts.keepAsDraft)
      })
      wake()
      if (row.action === null || row.action.name === 'send-message') return
      // Only what it created is shown of what was refused.
      if (row.state === 'refused' && actionFor(row.action).creates === undefined) return
      sender
        .fetchTruth(row.action)
        .catch((error: unknown) => parts.log(`outbox: ${failureOf(error).message}`))
    },
    changeLater(id, change) {
      const { action, state, sentAt } = demand(id)
      // What has left may have arrived, and would be there twice; what was refused did not arrive.
      const isHere = state === 'refused' || (state === 'waiting' && sentAt === null)
      if (action?.name !== 'schedule-message' || !isHere) return false
      store.write((db) =>
        updateOutboxRow(db, id, {
          action: { ...action, ...change },
          state: 'waiting',
          reason: null,
          nextAttemptAt: null,
        }),
      )
      wake()
      return true
    },
    takeBack(id) {
      const row = demand(id)
      const { action } = row
      if (action === null || !('conversation' in action) || !('content' in action)) return null
      const { conversation, content } = action
      // What may have arrived stays, unless nobody can tell and the person decides.
      const isTheirs = row.state === 'unsure' && row.reason === undecided
      if (content === null || !(isCertainlyHere(row) || isTheirs)) return null
      store.write((db) => removeOutboxRow(db, id))
      wake()
      return { conversation, content }
    },
    undoSend(id) {
      const row = outboxRow(store.db, id)
      if (row !== undefined) {
        // Undone is what nobody sees: not what may be on the server and cannot be found there.
        const taken = isCertainlyHere(row) ? outbox.takeBack(id) : null
        if (taken !== null) return taken
      }
      const { conversation, content, messageId: sentAs } = recentSends.demand(id)
      if (sentAs === null) return null
      recentSends.forget(id)
      outbox.enqueue({ name: 'delete-message', messageId: messageId(sentAs) })
      return { conversation, content }
    },
  }
  return outbox
}

/**
 * Whether a message that the server took was deleted before this device saw it: no queue brings its echo any more, and
 * everything new is here. What is sent to a channel that one is not in comes here only when that is read.
 */
function isGone(db: WritableDb, { action, sentQueue }: OutboxRow): boolean {
  if (sentQueue !== null || action?.name !== 'send-message' || !isLive(db, 'combined')) return false
  return action.conversation.kind === 'direct' || isSubscribed(db, action.conversation.channelId)
}

/** See `OfflineAction.join`. What has left may have arrived, so it stays what it was. */
function join(last: OutboxRow, action: Action, kind: OfflineAction<ActionName>): Action | null | undefined {
  if (last.state !== 'waiting' || last.sentAt !== null) return undefined
  if (last.action === null) return undefined
  if (last.action.name === action.name) return kind.join?.(last.action, action)
  return kind.undoes?.(action, last.action) === true ? null : undefined
}
