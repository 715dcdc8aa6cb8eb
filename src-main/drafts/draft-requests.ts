import { drafts as draftEndpoints } from '../../src-shared/api/drafts.ts'
import { failureOf, isTransient, type Failure } from '../../src-shared/failure.ts'
import { serverDraftId, type DraftId, type ServerDraftId } from '../../src-shared/ids.ts'
import { waitAfter } from '../api/backoff.ts'
import type { WritableDb } from '../store/database.ts'
import { addVersion, joinVersions } from '../store/draft-versions.ts'
import {
  draftById,
  draftByServerId,
  draftsIn,
  insertDraft,
  putDraft,
  removeDraft,
  type StoredDraft,
} from '../store/drafts.ts'
import type { DraftsParts } from './drafts-parts.ts'
import { endUnsure, findSave, applyServerDraftRemoval, type ReconcileContext } from './reconcile.ts'
import { apiFromDraft, sameOnServer } from './wire.ts'

/** One save on its way to the server. */
interface SaveAttempt {
  /** The server refused it. */
  refused(): void
}

/** What the requests report about drafts, by which the saver decides when the next request is due. */
export interface SaveProgress {
  /** A save is about to be sent. */
  saveBegins(id: DraftId): SaveAttempt
  /** The server has the save; its echo is to come. */
  accepted(id: DraftId): void
  /** The server has deleted it, and this device still has to see that. */
  deleted(id: ServerDraftId): void
  /** The save broke off, and the server may still be processing it. */
  brokeOff(id: DraftId): void
  /** Whether a save broke off less than `lingerMs` ago. */
  mayBeUnderWay(id: DraftId): boolean
}

/** Failures, besides offline, after which the server may have the save; device: the answer could not be stored. */
const mayHaveArrivedUnseen = new Set<Failure['kind']>(['serverFault', 'malformed', 'device', 'bug'])

const stateUnsaved = (draft: StoredDraft): StoredDraft['state'] =>
  draft.remote === null ? 'edited' : 'conflict'

/**
 * Returns what sends the request that is next for a draft, by its state, and stores the outcome: its deletion, a save,
 * the question whether a save arrived, or a new registration if the echo of a save did not come. After a failure, the
 * draft has the time of its next attempt. Rejects if the outcome could not be stored.
 */
export function createDraftRequests(
  parts: DraftsParts,
  context: ReconcileContext,
  progress: SaveProgress,
): (draft: StoredDraft) => Promise<void> {
  const { store, connection, clock, ownUserId, signal } = parts

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

  const sendDelete = async ({ id, serverId }: StoredDraft) => {
    /** Whether this deletion still waits. An event may end it, and another draft use its local id. */
    const isWaiting = () => {
      const now = draftById(store.db, id)
      return now?.isDeleted === true && now.serverId === serverId
    }
    let isSent = false
    try {
      // What another device added to it goes on as a draft of its own.
      await parts.catchUp()
      if (signal.aborted || serverId === null || !isWaiting()) return
      isSent = true
      await connection.call(draftEndpoints.deleteDraft, { draft_id: serverId }, { signal })
      // Its row stays until its event, or a registration without it: one that was requested before still has it.
      progress.deleted(serverId)
    } catch (error) {
      if (signal.aborted || !isWaiting()) return
      const failure = failureOf(error)
      // A refusal of the deletion means that it is already gone, or that a repeat would be refused too.
      if (failure.kind === 'rejected' && isSent) store.write((db) => removeDraft(db, id))
      else later(id, failure, {})
    }
  }

  const sendSave = async (draft: StoredDraft) => {
    const sent = draft.local
    const attempt = progress.saveBegins(draft.id)
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
      progress.accepted(draft.id)
    } catch (error) {
      await saveFailed(draft, failureOf(error), attempt)
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
        joinVersions(db, adopted, id)
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
        joinVersions(db, twin, id)
        putDraft(db, { ...twin, isDeleted: true })
      }
    }
  }

  const saveFailed = async (draft: StoredDraft, failure: Failure, attempt: SaveAttempt) => {
    const stillSaving = draftById(store.db, draft.id)
    if (stillSaving === undefined || stillSaving.saving === null) return
    if (failure.kind === 'offline' && failure.mayHaveArrived) {
      progress.brokeOff(draft.id)
      later(draft.id, failure, { state: 'unsure' })
    } else if (mayHaveArrivedUnseen.has(failure.kind)) {
      // A gateway may time out while the server behind it still works on the request.
      if (failure.kind === 'serverFault') progress.brokeOff(draft.id)
      later(draft.id, failure, { state: 'unsure' })
    } else if (isTransient(failure) || failure.kind === 'unauthorized') {
      later(draft.id, failure, { state: stateUnsaved(stillSaving), saving: null })
    } else await settleRefusal(draft, failure, attempt)
  }

  /**
   * The server uses the same code for "no such draft" and "not accepted", so its list is fetched to tell them apart.
   */
  const settleRefusal = async (draft: StoredDraft, failure: Failure, attempt: SaveAttempt) => {
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
    attempt.refused()
    const refusal = { ...draft.local, reason: failure.message }
    store.write((db) => {
      const now = draftById(db, id)
      if (now?.saving != null) putFailed(db, { ...now, ...unsaved(now), refusal })
    })
  }

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
        if (progress.mayBeUnderWay(draft.id)) continue
        const arrived = findSave(db, draft, drafts, context)
        if (arrived === undefined) endUnsure(db, draft)
        else {
          putDraft(db, { ...draft, serverId: arrived, state: 'saving', attempts: 0, nextAttemptAt: null })
          progress.accepted(draft.id)
        }
      }
    })
  }

  return async (draft) => {
    if (draft.isDeleted && draft.serverId !== null) await sendDelete(draft)
    else if (draft.state === 'unsure') {
      try {
        await lookUp()
      } catch (error) {
        later(draft.id, failureOf(error), {})
      }
    } else if (draft.state === 'saving') {
      progress.accepted(draft.id)
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
}
