import type { Action, ActionName, ActionOf, WaitingChange } from '../../src-shared/bridge/actions.ts'
import { failureOf, refusedHere } from '../../src-shared/failure.ts'
import { messageId, type DraftId, type LocalId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { isUndecided } from '../../src-shared/model/outbox.ts'
import { t } from '../../src-shared/texts/texts.ts'
import type { WritableDb } from '../store/database.ts'
import { hasObject } from '../store/objects.ts'
import { outboxRow, removeOutboxRow, updateOutboxRow, type OutboxRow } from '../store/outbox.ts'
import { typedWords } from '../store/typed-words.ts'
import { actionFor } from './actions/index.ts'
import { discardCreation } from './creations.ts'
import type { createEndedMakings } from './ended-makings.ts'
import { keepWords } from './kept-words.ts'
import { isCertainlyHere, isForPlace, isRepeatable, letNextEditStart, wordsOf } from './lanes.ts'
import { effectsOf } from './offline-action.ts'
import type { createRecentSends } from './recent-sends.ts'
import { doubtTruth, type OutboxParts, type Sender } from './sender.ts'

/** What the person decides about the changes in the outbox. */
export interface Decisions {
  /**
   * The person retries a change. Throws a refusal: NOT_WAITING if it was sent already, UNREADABLE if it cannot be read.
   */
  retry(id: LocalId): void
  /**
   * The person discards a change. The text of a message, or of a changed one, is then that of a deleted draft, whose id
   * is returned; null if the change has none. Throws a refusal: NOT_WAITING if it was sent already, ON_ITS_WAY while it
   * may have arrived and must not be sent twice.
   */
  discard(id: LocalId): DraftId | null
  /**
   * Changes a scheduled message, snippet or reminder that the server does not have yet. Otherwise `isChanged` is false;
   * `serverId` is then its id on the server, where it must be changed, or null while it may be on its way there. Throws
   * a refusal: NOT_THERE if it was discarded, NOT_WAITING if it was sent and its id is not known any more.
   */
  changeWaiting(id: LocalId, change: WaitingChange): ChangedWaiting
  /**
   * Takes a message, or an edit of one, out of the outbox if the server certainly does not have it, and keeps its words
   * in the same transaction. Returns what `keep` returns; null if the server may have it.
   */
  takeBack<T>(id: LocalId, keep: (taken: TakenBack) => T): T | null
  /**
   * Undoes one of the last messages, or one that was scheduled: takes it out of the outbox or, if the server has it,
   * deletes it there, and keeps its words in the same transaction. Returns what `keep` returns; null while it is not
   * known whether the server has it. Throws a refusal: NOT_ALLOWED if the server has it and the person may not delete
   * it, TOO_LATE for any other message, NOT_THERE if a scheduled one was discarded.
   */
  undoSend<T>(id: LocalId, keep: (taken: TakenBack) => T): T | null
}

/** The words that were taken back. */
export interface TakenBack {
  /** Null if the message that was to be edited is gone. */
  readonly conversation: Conversation | null
  readonly content: string
}

/** What became of a waiting change that was to be changed. See `Decisions.changeWaiting`. */
export interface ChangedWaiting {
  readonly isChanged: boolean
  readonly serverId: number | null
}

/** What the decisions need of the outbox. */
export interface DecisionParts extends OutboxParts {
  readonly sender: Pick<Sender, 'fetchTruth'>
  readonly recentSends: ReturnType<typeof createRecentSends>
  readonly endedMakings: ReturnType<typeof createEndedMakings>
  /** See `Outbox.enqueue`. */
  enqueue(action: Action): LocalId
  /** Called when a change may be due now, or another of its lane. */
  wake(): void
}

/** Creates what the person can decide about the changes in one account's outbox. */
export function createDecisions(parts: DecisionParts): Decisions {
  const { store, clock, sender, recentSends, endedMakings } = parts
  const effects = effectsOf(parts)

  const demand = (id: LocalId): OutboxRow => {
    const row = outboxRow(store.db, id)
    if (row === undefined) {
      throw refusedHere('NOT_WAITING', t.failures.sentAlready)
    }
    return row
  }

  /** The server's id of what an ended change made; null if it is unknown. Throws a refusal if it was discarded. */
  const idOfMade = (localId: LocalId, name: ActionName): number | null => {
    const ended = endedMakings.of(localId)
    if (ended?.action.name !== name) return null
    if (ended.id === null) throw refusedHere('NOT_THERE', t.failures.goneMeanwhile)
    return ended.id
  }

  /** Cancels a message that the server has for later; null as long as nothing shows that it is still there. */
  const cancelMade = <T>(
    localId: LocalId,
    { conversation, content }: ActionOf<'schedule-message'>,
    keep: (taken: TakenBack) => T,
  ): T | null => {
    const scheduledId = idOfMade(localId, 'schedule-message')
    if (scheduledId === null || !hasObject(store.db, 'scheduled-message', scheduledId)) return null
    return store.write(() => {
      parts.enqueue({ name: 'cancel-scheduled', scheduledId })
      return keep({ conversation, content })
    })
  }

  /** Removes a change, and reverts its local effect: what it concerned is fetched again. */
  const remove = <T>(row: OutboxRow, alongside: (db: WritableDb) => T): T => {
    const { localId: id, action } = row
    // What is not repeatable changes nothing in the cache. A refused change has no local effect to revert, except for
    // what it creates.
    const isInCache =
      action !== null &&
      isRepeatable(row) &&
      (row.state !== 'refused' || actionFor(action).creates !== undefined)
    const kept = store.write((db) => {
      removeOutboxRow(db, id)
      letNextEditStart(db, row, { mayHaveArrived: !isCertainlyHere(row) })
      discardCreation(db, row, effects, (later) => {
        if (later.action !== null && isForPlace(later.action)) parts.keepAsDraft(later.action.content)
        else keepWords(db, later, clock)
      })
      const result = alongside(db)
      if (isInCache) doubtTruth(db, action)
      return result
    })
    endedMakings.note(row, null)
    parts.wake()
    if (isInCache) {
      sender.fetchTruth(action).catch((error: unknown) => parts.log(`outbox: ${failureOf(error).message}`))
    }
    return kept
  }

  const decisions: Decisions = {
    retry(id) {
      const row = demand(id)
      if (row.state !== 'refused' && row.state !== 'unsure' && row.state !== 'waiting') return
      const { action } = row
      if (action === null) {
        throw refusedHere('UNREADABLE', t.failures.unreadableChange)
      }
      store.write((db) => {
        // As long as the server can be asked whether it arrived, a retry does not send it a second time.
        const state = row.state === 'unsure' && !isUndecided(row) ? 'unsure' : 'waiting'
        const retried = actionFor(action).forRetry?.(action) ?? action
        updateOutboxRow(db, id, { state, reason: null, nextAttemptAt: null, action: retried })
        actionFor(action).apply(db, retried, effects)
      })
      const words = wordsOf(action)
      if (words !== null) parts.files.tryAgain(words)
      parts.wake()
    },
    discard(id) {
      const row = demand(id)
      if (!isRepeatable(row) && !mayBeWithdrawn(row))
        throw refusedHere('ON_ITS_WAY', t.failures.mayHaveArrived)
      return remove(row, (db) => keepWords(db, row, clock))
    },
    changeWaiting(id, change) {
      const serverId = outboxRow(store.db, id) === undefined ? idOfMade(id, change.name) : null
      if (serverId !== null) return { isChanged: false, serverId }
      const row = demand(id)
      const { action } = row
      // One that may have arrived would then exist twice.
      if (action?.name !== change.name || !mayBeWithdrawn(row)) return { isChanged: false, serverId: null }
      // Both are of the same name; TypeScript does not follow that through two unions.
      const changed = { ...action, ...change } as Action
      store.write((db) =>
        updateOutboxRow(db, id, {
          action: changed,
          state: 'waiting',
          reason: null,
          nextAttemptAt: null,
        }),
      )
      const words = wordsOf(changed)
      if (words !== null) parts.files.tryAgain(words)
      parts.wake()
      return { isChanged: true, serverId: null }
    },
    takeBack(id, keep) {
      const row = demand(id)
      const words = typedWords(store.db, row)
      if (words === null || !mayBeWithdrawn(row)) return null
      const { conversation, content } = words
      return remove(row, () => keep({ conversation, content }))
    },
    undoSend(id, keep) {
      const row = outboxRow(store.db, id)
      if (row !== undefined) {
        // To undo means that nobody sees the message, so it must certainly not be on the server.
        const taken = isCertainlyHere(row) ? decisions.takeBack(id, keep) : null
        if (taken !== null) return taken
      }
      const making = row?.action ?? endedMakings.of(id)?.action
      if (making?.name === 'schedule-message') return row === undefined ? cancelMade(id, making, keep) : null
      const { conversation, content, messageId: sentAs, at } = recentSends.demand(id)
      if (sentAs === null) return null
      if (!parts.mayDelete(conversation, at)) throw refusedHere('NOT_ALLOWED', t.failures.mayNotTakeBack)
      const kept = store.write(() => {
        parts.enqueue({ name: 'delete-message', messageId: messageId(sentAs) })
        return keep({ conversation, content })
      })
      recentSends.forget(id)
      return kept
    },
  }
  return decisions
}

/**
 * Whether the person may take it out or change it: it is not on the server, or nobody can tell and the person decides.
 */
const mayBeWithdrawn = (row: OutboxRow): boolean => isCertainlyHere(row) || isUndecided(row)
