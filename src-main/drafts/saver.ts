import { drafts as draftEndpoints } from '../../src-shared/api/drafts.ts'
import { failureOf, isTransient, type Failure } from '../../src-shared/failure.ts'
import { serverDraftId, type DraftId, type UserId } from '../../src-shared/ids.ts'
import { lingerMs, retryDelayMs, unlessSetBack } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { keepGoing } from '../api/keep-going.ts'
import type { Store, WritableDb } from '../store/database.ts'
import {
  addVersion,
  allDrafts,
  draftById,
  draftByServerId,
  draftsIn,
  draftsUnsettled,
  forgetDraftWaits,
  insertDraft,
  putDraft,
  removeDraft,
  type StoredDraft,
} from '../store/drafts.ts'
import { isInProvisionalChannel } from '../store/provisional.ts'
import { endUnsure, findSave, seeServerDraftGone, type ReconcileContext } from './reconcile.ts'
import { apiFromDraft, isBlank, sameOnServer } from './wire.ts'

/** A pause in typing after which the other devices hear of it. */
const quietMs = 2_500
/** The longest the other devices wait while somebody types on. */
const longestMs = 5_000
/** How long an accepted save may go without its echo before the account registers anew. */
const echoMs = 60_000
/** So many drafts are dealt with before it is looked again which of all are due. */
const mostInARow = 25

/** What drafts need beside each other. */
export interface DraftsParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  log(line: string): void
  /** Whether the server is new enough and the person lets it keep drafts. */
  keepsDrafts(): boolean
  /** Resolves once everything that the server's queue holds now has been heard; rejects when that failed. */
  catchUp(): Promise<void>
  /** Has everything that the server keeps sent again. */
  registerAnew(): Promise<void>
  /** Has topics in doubt looked for. */
  findTopics(): void
}

/** Carries what is written here to the server: when the person rests, and again until it is known to be there. */
export interface Saver {
  /** The person typed in a draft, just now. */
  typed(id: DraftId, now: number): void
  /** The last commit was no more than the next words of a draft that waited to be saved: nothing is due any sooner. */
  typedOn(id: DraftId, now: number): void
  /** The person turned away from a draft or is done with it: nothing is waited for any more. */
  left(id: DraftId): void
  /** A queue that was lost brings no echoes: what was accepted before is as the snapshot shows it. */
  forgetEchoes(db: WritableDb): void
  /** Whether a save broke off so lately that the server may still come to it. */
  mayBeUnderWay(id: DraftId): boolean
  /** Whether the server's events are heard; saves wait for that. */
  setOnline(online: boolean): void
  /** Looks again at what is to be done. */
  wake(): void
  /** Cuts every wait for a next attempt short. */
  tryNow(): void
}

/** Starts saving; goes on until `signal` aborts. */
export function startSaver(parts: DraftsParts, context: ReconcileContext): Saver {
  const { store, connection, clock, ownUserId, signal } = parts
  const firstUnsavedAt = new Map<DraftId, number>()
  const changedAt = new Map<DraftId, number>()
  const acceptedAt = new Map<DraftId, number>()
  /** Drafts whose last save broke off and may still be under way at the server. */
  const resting = new Set<DraftId>()
  /** What was refused before the app started is offered once more; what is refused now, when it changes. */
  const offeredAgain = new Set<DraftId>(
    allDrafts(store.db).flatMap(({ id, refusal }) => (refusal === null ? [] : [id])),
  )
  let online = false
  let kick = new AbortController()

  const wake = () => {
    // A reason of its own spares the making of an error, with its stack, at each keystroke.
    kick.abort(null)
    kick = new AbortController()
  }

  /** Leaves a draft alone until a request that broke off is over at the server too, whatever the clocks say. */
  const rest = (id: DraftId) => {
    resting.add(id)
    void clock.wait(lingerMs, signal).then(() => {
      resting.delete(id)
      wake()
    })
  }
  for (const state of ['saving', 'unsure'] as const) for (const { id } of draftsIn(store.db, state)) rest(id)

  // Drafts also end and change by other hands: a message that is sent ends its draft.
  let seenCommits = store.commitsTo('drafts')
  const stopListening = [
    store.onChange(['account_settings'], wake),
    store.onChange(['drafts'], () => {
      const commits = store.commitsTo('drafts')
      if (commits === seenCommits) return
      seenCommits = commits
      wake()
    }),
  ]
  signal.addEventListener('abort', () => stopListening.forEach((stop) => stop()))

  /** When the draft should next be dealt with, or null when there is nothing to do. */
  const dueAt = (draft: StoredDraft): number | null => {
    if (resting.has(draft.id)) return null
    const now = clock.now()
    const retryAt = unlessSetBack(draft.nextAttemptAt ?? 0, now)
    if (draft.isDeleted && draft.serverId !== null) return retryAt
    if (draft.state === 'unsure') return retryAt
    if (draft.state === 'saving') {
      const accepted = acceptedAt.get(draft.id)
      return accepted === undefined ? null : unlessSetBack(accepted + echoMs, now, echoMs)
    }
    if (draft.isDeleted || draft.state !== 'edited' || isBlank(draft.local.content)) return null
    // No server knows where it goes yet.
    if (isInProvisionalChannel(draft.local.recipient)) return null
    const { refusal } = draft
    const isRefused = refusal !== null && sameOnServer(store.db, refusal, draft.local)
    if (isRefused && !offeredAgain.has(draft.id)) return null
    const quiet = unlessSetBack((changedAt.get(draft.id) ?? 0) + quietMs, now, quietMs)
    const longest = unlessSetBack((firstUnsavedAt.get(draft.id) ?? 0) + longestMs, now, longestMs)
    return Math.max(retryAt, Math.min(quiet, longest))
  }

  const later = (id: DraftId, failure: Failure, change: Partial<StoredDraft>) => {
    store.write((db) => {
      const draft = draftById(db, id)
      if (draft === undefined) return
      const attempts = draft.attempts + 1
      const waitMs =
        failure.kind === 'rateLimited' ? failure.retryAfterMs : retryDelayMs(attempts, () => clock.random())
      putDraft(db, { ...draft, ...change, attempts, nextAttemptAt: clock.now() + waitMs })
    })
  }

  const sendDelete = async (draft: StoredDraft) => {
    if (draft.serverId === null) return
    try {
      await connection.call(draftEndpoints.deleteDraft, { draft_id: draft.serverId }, { signal })
    } catch (error) {
      const failure = failureOf(error)
      // Gone already is what was wanted; anything else a server refuses will be refused again.
      if (failure.kind !== 'rejected') {
        later(draft.id, failure, {})
        return
      }
    }
    store.write((db) => removeDraft(db, draft.id))
  }

  const sendSave = async (draft: StoredDraft) => {
    const sent = draft.local
    acceptedAt.delete(draft.id)
    firstUnsavedAt.delete(draft.id)
    store.write((db) => putDraft(db, { ...draft, state: 'saving', saving: sent }))
    const body = apiFromDraft(sent, draft.editedAt, ownUserId)
    try {
      if (draft.serverId === null) {
        const { ids } = await connection.call(draftEndpoints.createDrafts, { drafts: [body] }, { signal })
        store.write((db) => answerToCreate(db, draft.id, ids[0]))
      } else {
        await connection.call(draftEndpoints.editDraft, { draft_id: draft.serverId, draft: body }, { signal })
      }
      store.write((db) => {
        const now = draftById(db, draft.id)
        if (now === undefined) return
        addVersion(db, draft.id, sent, 'here', clock.now())
        if (now.refusal !== null) putDraft(db, { ...now, refusal: null })
      })
      acceptedAt.set(draft.id, clock.now())
    } catch (error) {
      await saveFailed(draft, failureOf(error))
    }
  }

  const answerToCreate = (db: WritableDb, id: DraftId, serverId: number | undefined) => {
    const draft = draftById(db, id)
    if (draft === undefined || serverId === undefined) return
    if (draft.serverId === null) {
      // What became of this save was heard already: the draft is gone again on the server.
      if (draft.saving === null) return
      const adopted = draftByServerId(db, serverId)
      // The event came first and was not recognised, because the words went on changing: one draft, not two.
      if (adopted !== undefined) removeDraft(db, adopted.id)
      const echoSeen = adopted !== undefined
      putDraft(db, {
        ...draft,
        serverId: serverDraftId(serverId),
        ...(echoSeen
          ? {
              base: draft.saving,
              saving: null,
              state: sameOnServer(store.db, draft.local, draft.saving)
                ? ('synced' as const)
                : ('edited' as const),
            }
          : {}),
      })
    } else if (draft.serverId !== serverId && !draft.isDeleted) {
      // Another device made the same draft and its event was taken for ours; ours is the second of the two.
      const twin = draftByServerId(db, serverId)
      if (twin === undefined) {
        const ghost = insertDraft(db, context.newDraftId(), draft.local, 'edited', clock.now())
        putDraft(db, { ...ghost, serverId: serverDraftId(serverId), isDeleted: true })
      } else if (sameOnServer(store.db, twin.local, draft.base)) {
        putDraft(db, { ...twin, isDeleted: true })
      }
    }
  }

  /** Kinds after which the server may have the save, beside offline: also when only this disk refused the answer. */
  const mayHaveArrivedUnseen = new Set<Failure['kind']>(['serverFault', 'malformed', 'device', 'bug'])

  const saveFailed = async (draft: StoredDraft, failure: Failure) => {
    const stillSaving = draftById(store.db, draft.id)
    if (stillSaving === undefined || stillSaving.saving === null) return
    if (failure.kind === 'offline' && failure.mayHaveArrived) {
      rest(draft.id)
      later(draft.id, failure, { state: 'unsure' })
    } else if (mayHaveArrivedUnseen.has(failure.kind)) {
      // A gateway gives up before the server behind it does.
      if (failure.kind === 'serverFault') rest(draft.id)
      later(draft.id, failure, { state: 'unsure' })
    } else if (isTransient(failure) || failure.kind === 'unauthorized') {
      later(draft.id, failure, { state: stateUnsaved(stillSaving), saving: null })
    } else await settleRefusal(draft, failure)
  }

  /** The server gives the same code for a draft that it does not have and for one that it does not take. */
  const settleRefusal = async (draft: StoredDraft, failure: Failure) => {
    const { id, serverId } = draft
    const unsaved = (now: StoredDraft) => ({ state: stateUnsaved(now), saving: null })
    if (serverId !== null) {
      try {
        const { drafts } = await connection.call(draftEndpoints.getDrafts, {}, { signal })
        if (drafts.every((one) => one.id !== serverId)) {
          // Our words are created anew.
          store.write((db) => seeServerDraftGone(db, serverId, context))
          return
        }
      } catch (error) {
        const now = draftById(store.db, id)
        if (!signal.aborted && now?.saving != null) later(id, failureOf(error), unsaved(now))
        return
      }
    }
    parts.log(`drafts: a draft was refused: ${failure.message}`)
    offeredAgain.delete(id)
    const refusal = { ...draft.local, reason: failure.message }
    store.write((db) => {
      const now = draftById(db, id)
      if (now?.saving != null) putDraft(db, { ...now, ...unsaved(now), refusal })
    })
  }

  const stateUnsaved = (draft: StoredDraft): StoredDraft['state'] =>
    draft.remote === null ? 'edited' : 'conflict'

  /**
   * Asks what became of the saves that got no answer. The list is newer than what the events have told so far, so it
   * only says whether a save arrived; what it holds otherwise comes in its turn.
   */
  const lookUp = async () => {
    // Most often the echo is there already; and another device may have written on top of what was saved.
    await parts.catchUp()
    if (draftsIn(store.db, 'unsure').length === 0) return
    const { drafts } = await connection.call(
      draftEndpoints.getDrafts,
      {},
      {
        signal,
        setAside: (taken) => parts.log(`drafts: the server's list has ${taken.length} unreadable parts`),
      },
    )
    store.write((db) => {
      for (const draft of draftsIn(db, 'unsure')) {
        if (resting.has(draft.id)) continue
        const arrived = findSave(db, draft, drafts, context)
        if (arrived === undefined) endUnsure(db, draft)
        else {
          putDraft(db, { ...draft, serverId: arrived, state: 'saving', attempts: 0, nextAttemptAt: null })
          acceptedAt.set(draft.id, clock.now())
        }
      }
    })
  }

  const runOnce = async (draft: StoredDraft) => {
    if (draft.isDeleted && draft.serverId !== null) await sendDelete(draft)
    else if (draft.state === 'unsure') {
      try {
        await lookUp()
      } catch (error) {
        later(draft.id, failureOf(error), {})
      }
    } else if (draft.state === 'saving') {
      acceptedAt.set(draft.id, clock.now())
      await parts.registerAnew()
    } else if (draft.serverId === null) await sendSave(draft)
    else {
      try {
        // Whoever waits for events may wait in vain, on a connection that died in its sleep; and the last save wins.
        await parts.catchUp()
      } catch (error) {
        if (!signal.aborted) later(draft.id, failureOf(error), {})
        return
      }
      const now = draftById(store.db, draft.id)
      if (now === undefined || signal.aborted) return
      const isUnchanged = sameOnServer(store.db, now.base, draft.base) && now.serverId === draft.serverId
      // What came meanwhile is joined already, and goes when it is due.
      if (isUnchanged && now.state === 'edited' && !now.isDeleted) await sendSave(now)
    }
  }

  /** Whether drafts are saved at all changes by the person's hand, long before the server hears of it. */
  const followSwitch = () => {
    const keepsDrafts = parts.keepsDrafts()
    const before = keepsDrafts ? 'local-only' : 'edited'
    if (draftsIn(store.db, before).length === 0) return
    store.write((db) => {
      for (const draft of draftsIn(db, before)) {
        const state = !keepsDrafts
          ? 'local-only'
          : sameOnServer(store.db, draft.local, draft.base) && draft.serverId !== null
            ? 'synced'
            : 'edited'
        putDraft(db, { ...draft, state })
      }
    })
  }

  /** A save that nobody sends any more: what became of it could not be written down, so the server is asked. */
  const followLostSaves = () => {
    const lost = () => draftsIn(store.db, 'saving').filter(({ id }) => !acceptedAt.has(id))
    if (lost().length === 0) return
    store.write((db) => {
      for (const draft of lost()) putDraft(db, { ...draft, state: 'unsure' })
    })
  }

  /** Drafts that are settled or gone need nothing remembered; drafts come and go as long as the app runs. */
  const forgetSettled = (unsettled: readonly StoredDraft[]) => {
    const ids = new Set(unsettled.map(({ id }) => id))
    for (const remembered of [firstUnsavedAt, changedAt, acceptedAt, offeredAgain]) {
      for (const id of remembered.keys()) if (!ids.has(id)) remembered.delete(id)
    }
  }

  /** Does what is due next, or waits for it. */
  const goOn = async () => {
    followSwitch()
    followLostSaves()
    const until = AbortSignal.any([signal, kick.signal])
    if (!online || !parts.keepsDrafts()) {
      await clock.wait(60 * 60 * 1_000, until)
      return
    }
    const unsettled = draftsUnsettled(store.db)
    const waiting = unsettled
      .flatMap((draft) => {
        const at = dueAt(draft)
        return at === null ? [] : [{ id: draft.id, at }]
      })
      .sort((a, b) => a.at - b.at)
    const waitMs = waiting[0] === undefined ? 60 * 60 * 1_000 : waiting[0].at - clock.now()
    if (waitMs > 0) {
      forgetSettled(unsettled)
      await clock.wait(waitMs, until)
      return
    }
    for (const { id } of waiting.slice(0, mostInARow)) {
      // It may have changed while another was dealt with.
      const draft = draftById(store.db, id)
      const at = draft === undefined ? null : dueAt(draft)
      if (draft === undefined || at === null || at > clock.now()) continue
      await runOnce(draft)
      if (signal.aborted || !online || !parts.keepsDrafts()) return
    }
  }

  keepGoing(goOn, { clock, signal, log: (line) => parts.log(`drafts: ${line}`) })

  /** The next attempt is now. A disk that takes nothing leaves the waits as they are; each ends by itself. */
  const cutWaits = () => {
    try {
      store.write(forgetDraftWaits)
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'device') throw error
      parts.log(`drafts: waits could not be cut short: ${failure.message}`)
    }
  }

  const typed = (id: DraftId, now: number) => {
    changedAt.set(id, now)
    // What was written wakes us by itself, when the turn is over: a keystroke does not wait for that.
    if (!firstUnsavedAt.has(id)) firstUnsavedAt.set(id, now)
  }

  return {
    typed,
    typedOn(id, now) {
      typed(id, now)
      // Whatever else was written in this turn is still to be looked at.
      if (store.commitsTo('drafts') === seenCommits + 1) seenCommits++
    },
    left(id) {
      changedAt.delete(id)
      firstUnsavedAt.delete(id)
      wake()
    },
    forgetEchoes(db) {
      for (const draft of allDrafts(db)) {
        if (draft.saving !== null && acceptedAt.has(draft.id)) putDraft(db, { ...draft, state: 'unsure' })
      }
      acceptedAt.clear()
    },
    mayBeUnderWay: (id) => resting.has(id),
    setOnline(value) {
      if (value === online) return
      online = value
      if (online) cutWaits()
      wake()
    },
    wake,
    tryNow() {
      if (online) cutWaits()
      wake()
    },
  }
}
