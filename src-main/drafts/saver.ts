import { drafts as draftEndpoints } from '../../src-shared/api/drafts.ts'
import { failureOf, isTransient, type Failure } from '../../src-shared/failure.ts'
import { serverDraftId, type DraftId, type UserId } from '../../src-shared/ids.ts'
import { createAlarm, idleMs } from '../api/alarm.ts'
import { lingerMs, waitAfter, unlessSetBack } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import { keepGoing } from '../api/keep-going.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { addVersion, joinVersions } from '../store/draft-versions.ts'
import {
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
import { endUnsure, findSave, applyServerDraftRemoval, type ReconcileContext } from './reconcile.ts'
import { followUploads, type LinkedFiles } from './uploads.ts'
import { apiFromDraft, isBlank, sameOnServer } from './wire.ts'

/** A draft is saved on the server after a pause in typing of this length, in milliseconds. */
const quietMs = 2_500
/** If the person does not pause, it is saved after this time, in milliseconds. */
const longestMs = 5_000
/** How long to wait for the echo of an accepted save before the account registers anew, in milliseconds. */
const echoMs = 60_000
/** How many due drafts are processed before the list of due drafts is computed again. */
const mostInARow = 25

/** What drafts need from the other parts of their account. */
export interface DraftsParts {
  readonly store: Store
  readonly connection: Connection
  readonly clock: Clock
  readonly ownUserId: UserId
  readonly signal: AbortSignal
  /** The attached files that texts link to. */
  readonly files: LinkedFiles
  log(line: string): void
  /** Whether the server supports drafts and the person has draft sync switched on. */
  keepsDrafts(): boolean
  /** Resolves once all events that the queue holds now have been applied; rejects if that failed. */
  catchUp(): Promise<void>
  /** Gets a new queue and a new snapshot. */
  registerAnew(): Promise<void>
  /** Starts to ask the server where the topics in doubt are. */
  findTopics(): void
}

/** Saves drafts on the server when typing pauses, and retries until the server has them. */
export interface Saver {
  /** The person typed in a draft. */
  typed(id: DraftId, now: number): void
  /**
   * The same, if the last commit only changed the text of a draft that already waits to be saved: no need to wake up.
   */
  typedOn(id: DraftId, now: number): void
  /** The person left the draft: it is saved now instead of after a pause. */
  left(id: DraftId): void
  /**
   * Sends refused drafts once more: after a start, a new registration, or when drafts are switched on, the server may
   * accept them. Otherwise they are sent only after a change.
   */
  offerAgain(): void
  /** After a new registration no echoes of earlier saves arrive: their outcome is read from the snapshot. */
  forgetEchoes(db: WritableDb): void
  /** Whether a save broke off less than `lingerMs` ago, so that the server may still process it. */
  mayBeUnderWay(id: DraftId): boolean
  /** Whether the server can be reached; saves wait for that. */
  setOnline(online: boolean): void
  /** Checks again which drafts are due. */
  wake(): void
  /** Makes all retries due now. */
  tryNow(): void
}

/** Starts the saver of one account; it saves until `signal` aborts. */
export function startSaver(parts: DraftsParts, context: ReconcileContext): Saver {
  const { store, connection, clock, ownUserId, signal } = parts
  const firstUnsavedAt = new Map<DraftId, number>()
  const changedAt = new Map<DraftId, number>()
  const acceptedAt = new Map<DraftId, number>()
  /** Drafts whose last save broke off and may still be processed by the server. */
  const resting = new Set<DraftId>()
  /** Drafts that were refused and are sent once more, see `offerAgain`. */
  const offeredAgain = new Set<DraftId>()
  /** How often refused drafts were offered again. */
  let offers = 0
  let online = false
  const alarm = createAlarm(clock, signal)
  const wake = () => alarm.ring()

  /** Blocks a draft for `lingerMs`, because the server may still be working on a request that broke off. */
  const rest = (id: DraftId) => {
    resting.add(id)
    void clock.wait(lingerMs, signal).then(() => {
      resting.delete(id)
      wake()
    })
  }
  for (const state of ['saving', 'unsure'] as const) for (const { id } of draftsIn(store.db, state)) rest(id)

  const offerAgain = () => {
    offers++
    for (const { id, refusal } of allDrafts(store.db)) if (refusal !== null) offeredAgain.add(id)
  }
  offerAgain()

  // Other parts change drafts too: sending a message ends its draft.
  let seenCommits = store.commitsTo('drafts')
  const stopListening = [
    parts.files.onSettled(wake),
    store.onChange(['account_settings'], wake),
    store.onChange(['drafts'], () => {
      const commits = store.commitsTo('drafts')
      if (commits === seenCommits) return
      seenCommits = commits
      wake()
    }),
  ]
  signal.addEventListener('abort', () => stopListening.forEach((stop) => stop()))

  /** When to process the draft next, epoch milliseconds; null if there is nothing to do. */
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
    // The server does not have the channel yet.
    if (isInProvisionalChannel(draft.local.recipient)) return null
    // Other devices could not send it with our address of the file.
    if (parts.files.isAwaited(draft.local.content)) return null
    const { refusal } = draft
    const isRefused = refusal !== null && sameOnServer(store.db, refusal, draft.local)
    if (isRefused && !offeredAgain.has(draft.id)) return null
    const quiet = unlessSetBack((changedAt.get(draft.id) ?? 0) + quietMs, now, quietMs)
    const longest = unlessSetBack((firstUnsavedAt.get(draft.id) ?? 0) + longestMs, now, longestMs)
    return Math.max(retryAt, Math.min(quiet, longest))
  }

  /** Stores a draft after a failure. One that ended during its first save, which did not arrive, is gone now. */
  const putFailed = (db: WritableDb, draft: StoredDraft) => {
    if (draft.isDeleted && draft.serverId === null && draft.saving === null) removeDraft(db, draft.id)
    else putDraft(db, draft)
  }

  /** Schedules the next attempt after a failure, and applies a change to the draft. */
  const later = (id: DraftId, failure: Failure, change: Partial<StoredDraft>) => {
    store.write((db) => {
      const draft = draftById(db, id)
      if (draft === undefined) return
      const attempts = draft.attempts + 1
      const waitMs = waitAfter(failure, attempts, clock)
      putFailed(db, { ...draft, ...change, attempts, nextAttemptAt: clock.now() + waitMs })
    })
  }

  const sendDelete = async ({ id }: StoredDraft) => {
    let draft: StoredDraft | undefined
    try {
      // What another device added to it goes on as a draft of its own.
      await parts.catchUp()
      draft = draftById(store.db, id)
      if (draft?.isDeleted !== true || draft.serverId === null || signal.aborted) return
      await connection.call(draftEndpoints.deleteDraft, { draft_id: draft.serverId }, { signal })
    } catch (error) {
      const failure = failureOf(error)
      // A refusal of the deletion means that it is already gone, or that a repeat would be refused too.
      if (failure.kind !== 'rejected' || draft === undefined) {
        if (!signal.aborted) later(id, failure, {})
        return
      }
    }
    store.write((db) => removeDraft(db, id))
  }

  const sendSave = async (draft: StoredDraft) => {
    const sent = draft.local
    const offersBefore = offers
    acceptedAt.delete(draft.id)
    firstUnsavedAt.delete(draft.id)
    store.write((db) => {
      putDraft(db, { ...draft, state: 'saving', saving: sent })
      addVersion(db, draft.id, sent, 'here', clock.now())
    })
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
        if (now !== undefined && now.refusal !== null) putDraft(db, { ...now, refusal: null })
      })
      acceptedAt.set(draft.id, clock.now())
    } catch (error) {
      await saveFailed(draft, failureOf(error), offersBefore)
    }
  }

  const answerToCreate = (db: WritableDb, id: DraftId, serverId: number | undefined) => {
    const draft = draftById(db, id)
    if (draft === undefined || serverId === undefined) return
    if (draft.serverId === null) {
      // Events have already settled this save: the draft was created and is gone again on the server.
      if (draft.saving === null) return
      const adopted = draftByServerId(db, serverId)
      // The event came before this answer and was not recognised, because the text had changed. Both are one draft.
      if (adopted !== undefined) {
        joinVersions(db, adopted, id, clock.now())
        removeDraft(db, adopted.id)
      }
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
      // Another device created the same draft and its event was taken for our echo. Our own copy is a duplicate.
      const twin = draftByServerId(db, serverId)
      if (twin === undefined) {
        const ghost = insertDraft(db, context.newDraftId(), draft.local, 'edited', clock.now())
        putDraft(db, { ...ghost, serverId: serverDraftId(serverId), isDeleted: true })
      } else if (sameOnServer(store.db, twin.local, draft.base)) {
        joinVersions(db, twin, id, clock.now())
        putDraft(db, { ...twin, isDeleted: true })
      }
    }
  }

  /** Failures, besides offline, after which the server may have the save; device: the answer could not be stored. */
  const mayHaveArrivedUnseen = new Set<Failure['kind']>(['serverFault', 'malformed', 'device', 'bug'])

  const saveFailed = async (draft: StoredDraft, failure: Failure, offersBefore: number) => {
    const stillSaving = draftById(store.db, draft.id)
    if (stillSaving === undefined || stillSaving.saving === null) return
    if (failure.kind === 'offline' && failure.mayHaveArrived) {
      rest(draft.id)
      later(draft.id, failure, { state: 'unsure' })
    } else if (mayHaveArrivedUnseen.has(failure.kind)) {
      // A gateway may time out while the server behind it still works on the request.
      if (failure.kind === 'serverFault') rest(draft.id)
      later(draft.id, failure, { state: 'unsure' })
    } else if (isTransient(failure) || failure.kind === 'unauthorized') {
      later(draft.id, failure, { state: stateUnsaved(stillSaving), saving: null })
    } else await settleRefusal(draft, failure, offersBefore)
  }

  /**
   * The server uses the same code for "no such draft" and "not accepted", so its list is fetched to tell them apart.
   */
  const settleRefusal = async (draft: StoredDraft, failure: Failure, offersBefore: number) => {
    const { id, serverId } = draft
    const unsaved = (now: StoredDraft) => ({ state: stateUnsaved(now), saving: null })
    if (serverId !== null) {
      try {
        const { drafts } = await connection.call(draftEndpoints.getDrafts, {}, { signal })
        if (drafts.every((one) => one.id !== serverId)) {
          // The draft is created again.
          store.write((db) => applyServerDraftRemoval(db, serverId, context))
          return
        }
      } catch (error) {
        const now = draftById(store.db, id)
        if (!signal.aborted && now?.saving != null) later(id, failureOf(error), unsaved(now))
        return
      }
    }
    parts.log(`drafts: a draft was refused: ${failure.message}`)
    // The reason may no longer apply.
    if (offers === offersBefore) offeredAgain.delete(id)
    else offeredAgain.add(id)
    const refusal = { ...draft.local, reason: failure.message }
    store.write((db) => {
      const now = draftById(db, id)
      if (now?.saving != null) putFailed(db, { ...now, ...unsaved(now), refusal })
    })
  }

  const stateUnsaved = (draft: StoredDraft): StoredDraft['state'] =>
    draft.remote === null ? 'edited' : 'conflict'

  /**
   * Looks up the saves that got no answer. The server's list is newer than the events applied so far, so it is only
   * used to determine whether a save arrived; other changes in it arrive as events.
   */
  const lookUp = async () => {
    // In most cases the queue already holds the echo; and another device may have overwritten our save.
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
        // The last save wins, and on a connection that died during sleep no events have arrived.
        await parts.catchUp()
      } catch (error) {
        if (!signal.aborted) later(draft.id, failureOf(error), {})
        return
      }
      const now = draftById(store.db, draft.id)
      if (now === undefined || signal.aborted) return
      const isUnchanged = sameOnServer(store.db, now.base, draft.base) && now.serverId === draft.serverId
      // A version that arrived during that is already merged and is saved when it is due.
      if (isUnchanged && now.state === 'edited' && !now.isDeleted) await sendSave(now)
    }
  }

  /** Adapts the states of drafts to the setting, which applies here before the server has received it. */
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

  /** Drafts in state 'saving' without a request: the outcome could not be stored, so the server is asked. */
  const followLostSaves = () => {
    const lost = () => draftsIn(store.db, 'saving').filter(({ id }) => !acceptedAt.has(id))
    if (lost().length === 0) return
    store.write((db) => {
      for (const draft of lost()) putDraft(db, { ...draft, state: 'unsure' })
    })
  }

  /** Drops what is remembered of drafts that are settled or gone, because the app may run for weeks. */
  const forgetSettled = (unsettled: readonly StoredDraft[]) => {
    const ids = new Set(unsettled.map(({ id }) => id))
    for (const remembered of [firstUnsavedAt, changedAt, acceptedAt, offeredAgain]) {
      for (const id of remembered.keys()) if (!ids.has(id)) remembered.delete(id)
    }
  }

  /** Processes what is due, or waits until something is. */
  const goOn = async () => {
    // What rings while the drafts are looked at counts, too.
    const { signal: rung } = alarm
    followSwitch()
    followLostSaves()
    followUploads(store, parts.files)
    if (!online || !parts.keepsDrafts()) {
      await clock.wait(idleMs, rung)
      return
    }
    const unsettled = draftsUnsettled(store.db)
    const waiting = unsettled
      .flatMap((draft) => {
        const at = dueAt(draft)
        return at === null ? [] : [{ id: draft.id, at }]
      })
      .sort((a, b) => a.at - b.at)
    const waitMs = waiting[0] === undefined ? idleMs : waiting[0].at - clock.now()
    if (waitMs > 0) {
      forgetSettled(unsettled)
      await clock.wait(waitMs, rung)
      return
    }
    for (const { id } of waiting.slice(0, mostInARow)) {
      // It may have changed while another one was processed.
      const draft = draftById(store.db, id)
      const at = draft === undefined ? null : dueAt(draft)
      if (draft === undefined || at === null || at > clock.now()) continue
      await runOnce(draft)
      if (signal.aborted || !online || !parts.keepsDrafts()) return
    }
  }

  keepGoing(goOn, { clock, signal, log: (line) => parts.log(`drafts: ${line}`) })

  /** Makes all retries due now. If the disk fails, they keep their times. */
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
    // No `wake` needed: the commit triggers it through `store.onChange`, after the keystroke is handled.
    if (!firstUnsavedAt.has(id)) firstUnsavedAt.set(id, now)
  }

  return {
    typed,
    typedOn(id, now) {
      typed(id, now)
      // Only if this was the only commit; any other one still has to be checked.
      if (store.commitsTo('drafts') === seenCommits + 1) seenCommits++
    },
    left(id) {
      changedAt.delete(id)
      firstUnsavedAt.delete(id)
      wake()
    },
    offerAgain,
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
