import { drafts as draftEndpoints, type ApiDraft } from '../../src-shared/api/drafts.ts'
import type { EventPayload } from '../../src-shared/api/events.ts'
import { FailureError, failureOf, isTransient, type Failure } from '../../src-shared/failure.ts'
import { draftId, serverDraftId, type DraftId, type UserId } from '../../src-shared/ids.ts'
import type { DraftContent } from '../../src-shared/model/draft.ts'
import { retryDelayMs, unlessSetBack } from '../api/backoff.ts'
import type { Clock } from '../api/clock.ts'
import type { Connection } from '../api/connection.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { readCursor } from '../store/cursor.ts'
import {
  addVersion,
  allDrafts,
  draftById,
  dropOldVersions,
  endDraft,
  noConflict,
  putDraft,
  removeDraft,
  versionsOf,
  type StoredDraft,
} from '../store/drafts.ts'
import { mergeDraft, sameRecipient } from './merge.ts'
import {
  endUnsure,
  findSave,
  seeServerDraft,
  seeServerDraftGone,
  seeServerDrafts,
  type ReconcileContext,
} from './reconcile.ts'
import { apiFromDraft, isBlank, sameOnServer } from './wire.ts'

/** A pause in typing after which the other devices hear of it. */
const quietMs = 2_500
/** The longest the other devices wait while somebody types on. */
const longestMs = 5_000
/** How long an accepted save may go without its echo before the account registers anew. */
const echoMs = 60_000
/** How long until a disk that took nothing is asked again. */
const deviceRetryMs = 10_000
const versionsKeptMs = 30 * 24 * 60 * 60 * 1_000

/**
 * What a person is still writing, on this device and on the others.
 *
 * ```
 *                  type                  save begins                  echo of the save seen
 *  (new) ─► edited ─────► edited   edited ────────────► saving ─┬─ nothing typed since ─► synced
 *  synced ─ type ─► edited                                      ├─ typed meanwhile ─────► edited
 *                                                               ├─ no answer ───────────► unsure ─► asked by content
 *                                                               └─ gone on the server ──► edited (created again)
 *  synced ─ changed elsewhere ─► synced       edited ─ changed elsewhere ─► joined ─┬─ clean ────► edited
 *  synced ─ deleted elsewhere ─► (ended)      edited ─ deleted elsewhere ─► edited  └─ conflict ─► conflict
 * ```
 *
 * 1. `save` has written the words to disk when it returns.
 * 2. No version that a person or another device made is dropped in less than 30 days.
 * 3. A save is never repeated before the server was asked whether it arrived.
 */
export interface Drafts {
  /**
   * Writes what a person typed; blank text ends the draft. A null id makes a new one. `basis` is the text that the
   * typed one grew from, where that is known: a version that came from elsewhere meanwhile is joined with what was
   * typed, or both are kept as a conflict. Answers the text that the draft has now.
   */
  save(id: DraftId | null, draft: DraftContent, basis?: string | null): { draftId: DraftId; content: string }
  /** The person stopped writing in it: the other devices hear of it now. */
  leave(id: DraftId): void
  delete(id: DraftId): void
  /** Brings an earlier version back; the present one stays a version. */
  restore(id: DraftId, version: number): DraftContent
  /** Ends a conflict with the text that the person chose. */
  resolve(id: DraftId, draft: DraftContent): void
  /** Ends a conflict by making two drafts of it. */
  keepBoth(id: DraftId): void
  onEvent(db: WritableDb, payload: EventPayload<'drafts'>): void
  /** What the server keeps, null when nothing; a draft that is not among it is gone unless it `mayBeThere`. */
  onSnapshot(
    db: WritableDb,
    seen: readonly ApiDraft[] | null,
    mayBeThere: (serverId: number) => boolean,
  ): void
  /** The server was told to keep drafts from now on, or has dropped them all. */
  onSwitch(db: WritableDb, areKept: boolean): void
  setOnline(online: boolean): void
  wake(): void
}

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
  hearOut(): Promise<void>
  /** Has everything that the server keeps sent again. */
  registerAnew(): Promise<void>
}

/** Starts keeping drafts; saves go on until `signal` aborts. */
export function createDrafts(parts: DraftsParts): Drafts {
  const { store, connection, clock, ownUserId, signal } = parts
  const firstUnsavedAt = new Map<DraftId, number>()
  const changedAt = new Map<DraftId, number>()
  const acceptedAt = new Map<DraftId, number>()
  let online = false
  let kick = new AbortController()

  const context: ReconcileContext = {
    ownUserId,
    now: () => clock.now(),
    newDraftId: () =>
      draftId(`d${clock.now().toString(36)}${Math.floor(clock.random() * 2 ** 40).toString(36)}`),
  }

  // A process that ended in the middle of a save does not know what became of it.
  store.write((db) => {
    for (const draft of allDrafts(db)) {
      if (draft.saving !== null) putDraft(db, { ...draft, state: 'unsure' })
    }
    // By the later of the two a clock that was set forward would have passed those 30 days in a moment.
    const lastHeard = readCursor(db).heardAt ?? clock.now()
    dropOldVersions(db, Math.min(clock.now(), lastHeard), versionsKeptMs)
  })

  const wake = () => {
    kick.abort()
    kick = new AbortController()
  }

  // Drafts also end and change by other hands: a message that is sent ends its draft.
  const stopListening = store.onChange(['drafts', 'account_settings'], wake)
  signal.addEventListener('abort', () => stopListening())

  const demand = (id: DraftId): StoredDraft => {
    const draft = draftById(store.db, id)
    if (draft === undefined || draft.isDeleted) {
      throw new FailureError({
        kind: 'rejected',
        code: 'NO_SUCH_DRAFT',
        message: 'This draft is gone.',
        status: 0,
      })
    }
    return draft
  }

  const stateAfterTyping = (draft: StoredDraft, local: DraftContent): StoredDraft['state'] => {
    if (draft.state === 'conflict' || draft.state === 'saving' || draft.state === 'unsure') return draft.state
    if (!parts.keepsDrafts()) return 'local-only'
    return sameOnServer(local, draft.base) ? 'synced' : 'edited'
  }

  /** The draft with what was typed, joined with a version that the person had not seen when typing. */
  const afterTyping = (
    db: WritableDb,
    known: StoredDraft,
    typed: DraftContent,
    basis: string | null,
  ): StoredDraft => {
    const plain = { ...known, local: typed, state: stateAfterTyping(known, typed) }
    if (basis === null || known.local.content === basis) return plain
    const merged = mergeDraft({ recipient: typed.recipient, content: basis }, typed, known.local)
    if (merged.kind === 'clean') {
      return { ...known, local: merged.draft, state: stateAfterTyping(known, merged.draft) }
    }
    addVersion(db, known.id, known.local, known.state === 'synced' ? 'elsewhere' : 'here', clock.now())
    // One conflict at a time: the person who settles it finds this text among the versions.
    if (known.remote !== null) return plain
    return {
      ...known,
      local: typed,
      base: { recipient: known.local.recipient, content: basis },
      remote: known.local,
      remoteEditedAt: known.editedAt,
      onServer: known.base,
      state: known.saving === null ? 'conflict' : known.state,
    }
  }

  const stateOutOfConflict = ({ local, base, saving, state }: StoredDraft): StoredDraft['state'] => {
    if (saving !== null) return state === 'unsure' ? 'unsure' : 'saving'
    if (!parts.keepsDrafts()) return 'local-only'
    return sameOnServer(local, base) ? 'synced' : 'edited'
  }

  const markTyped = (id: DraftId) => {
    const now = clock.now()
    changedAt.set(id, now)
    if (!firstUnsavedAt.has(id)) firstUnsavedAt.set(id, now)
    wake()
  }

  const create = (db: WritableDb, local: DraftContent, id = context.newDraftId()): DraftId => {
    const now = clock.now()
    putDraft(db, {
      id,
      serverId: null,
      state: parts.keepsDrafts() ? 'edited' : 'local-only',
      local,
      base: null,
      ...noConflict,
      saving: null,
      createdAt: now,
      editedAt: now,
      isDeleted: false,
      attempts: 0,
      nextAttemptAt: null,
    })
    return id
  }

  /** When the draft should next be dealt with, or null when there is nothing to do. */
  const dueAt = (draft: StoredDraft): number | null => {
    const now = clock.now()
    const retryAt = unlessSetBack(draft.nextAttemptAt ?? 0, now)
    if (draft.isDeleted && draft.serverId !== null) return retryAt
    if (draft.state === 'unsure') return retryAt
    if (draft.state === 'saving') {
      const accepted = acceptedAt.get(draft.id)
      return accepted === undefined ? null : unlessSetBack(accepted + echoMs, now, echoMs)
    }
    if (draft.isDeleted || draft.state !== 'edited' || isBlank(draft.local.content)) return null
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
        if (now !== undefined) addVersion(db, draft.id, sent, 'here', clock.now())
      })
      acceptedAt.set(draft.id, clock.now())
    } catch (error) {
      saveFailed(draft, failureOf(error))
    }
  }

  const answerToCreate = (db: WritableDb, id: DraftId, serverId: number | undefined) => {
    const draft = draftById(db, id)
    if (draft === undefined || serverId === undefined) return
    if (draft.serverId === null) {
      // What became of this save was heard already: the draft is gone again on the server.
      if (draft.saving === null) return
      const adopted = allDrafts(db).find((other) => other.serverId === serverId)
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
              state: sameOnServer(draft.local, draft.saving) ? ('synced' as const) : ('edited' as const),
            }
          : {}),
      })
    } else if (draft.serverId !== serverId && !draft.isDeleted) {
      // Another device made the same draft and its event was taken for ours; ours is the second of the two.
      const twin = allDrafts(db).find((other) => other.serverId === serverId)
      if (twin === undefined) {
        const ghost = create(db, draft.local)
        const row = draftById(db, ghost)
        if (row !== undefined) putDraft(db, { ...row, serverId: serverDraftId(serverId), isDeleted: true })
      } else if (sameOnServer(twin.local, draft.base)) {
        putDraft(db, { ...twin, isDeleted: true })
      }
    }
  }

  /** Kinds after which the server may have the save, beside offline: also when only this disk refused the answer. */
  const mayHaveArrivedUnseen = new Set<Failure['kind']>(['serverFault', 'malformed', 'device', 'bug'])

  const saveFailed = (draft: StoredDraft, failure: Failure) => {
    const stillSaving = draftById(store.db, draft.id)
    if (stillSaving === undefined || stillSaving.saving === null) return
    if (failure.kind === 'offline' && failure.mayHaveArrived) {
      later(draft.id, failure, { state: 'unsure' })
    } else if (mayHaveArrivedUnseen.has(failure.kind)) {
      later(draft.id, failure, { state: 'unsure' })
    } else if (isTransient(failure) || failure.kind === 'unauthorized') {
      later(draft.id, failure, { state: stateUnsaved(stillSaving), saving: null })
    } else if (failure.kind === 'rejected' && draft.serverId !== null && failure.status !== 413) {
      // Gone on the server, or refused as an edit: our words are created anew.
      store.write((db) => seeServerDraftGone(db, draft.serverId ?? 0, context))
    } else {
      parts.log(`drafts: a draft was refused: ${failure.message}`)
      later(draft.id, failure, { state: stateUnsaved(stillSaving), saving: null })
    }
  }

  const stateUnsaved = (draft: StoredDraft): StoredDraft['state'] =>
    draft.remote === null ? 'edited' : 'conflict'

  /**
   * Asks what became of the saves that got no answer. The list is newer than what the events have told so far, so it
   * only says whether a save arrived; what it holds otherwise comes in its turn.
   */
  const lookUp = async () => {
    // Most often the echo is there already; and another device may have written on top of what was saved.
    await parts.hearOut()
    if (!allDrafts(store.db).some(({ state }) => state === 'unsure')) return
    const { drafts } = await connection.call(
      draftEndpoints.getDrafts,
      {},
      {
        signal,
        setAside: (taken) => parts.log(`drafts: the server's list has ${taken.length} unreadable parts`),
      },
    )
    store.write((db) => {
      for (const draft of allDrafts(db)) {
        if (draft.state !== 'unsure') continue
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
    } else await sendSave(draft)
  }

  /** Whether drafts are saved at all changes by the person's hand, long before the server hears of it. */
  const followSwitch = () => {
    const keepsDrafts = parts.keepsDrafts()
    const before = keepsDrafts ? 'local-only' : 'edited'
    if (!allDrafts(store.db).some(({ state }) => state === before)) return
    store.write((db) => {
      for (const draft of allDrafts(db)) {
        if (draft.state !== before) continue
        const state = !keepsDrafts
          ? 'local-only'
          : sameOnServer(draft.local, draft.base) && draft.serverId !== null
            ? 'synced'
            : 'edited'
        putDraft(db, { ...draft, state })
      }
    })
  }

  /** A save that nobody sends any more: what became of it could not be written down, so the server is asked. */
  const followLostSaves = () => {
    const isLost = (draft: StoredDraft) => draft.state === 'saving' && !acceptedAt.has(draft.id)
    if (!allDrafts(store.db).some(isLost)) return
    store.write((db) => {
      for (const draft of allDrafts(db)) if (isLost(draft)) putDraft(db, { ...draft, state: 'unsure' })
    })
  }

  const run = async () => {
    while (!signal.aborted) {
      try {
        await goOn()
      } catch (error) {
        if (signal.aborted) return
        const failure = failureOf(error)
        const isOurs = failure.kind === 'bug' && error instanceof Error
        parts.log(`drafts: ${isOurs ? (error.stack ?? failure.message) : failure.message}`)
        await clock.wait(deviceRetryMs, signal)
      }
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
    let next: { draft: StoredDraft; at: number } | null = null
    for (const draft of allDrafts(store.db)) {
      const at = dueAt(draft)
      if (at !== null && (next === null || at < next.at)) next = { draft, at }
    }
    const waitMs = next === null ? 60 * 60 * 1_000 : next.at - clock.now()
    if (next === null || waitMs > 0) await clock.wait(waitMs, until)
    else await runOnce(next.draft)
  }

  run().catch((error: unknown) => parts.log(`drafts: ${failureOf(error).message}`))

  return {
    save(id, typed, basis = null) {
      const saved = store.write((db) => {
        const known = id === null ? undefined : draftById(db, id)
        if (isBlank(typed.content)) {
          if (known !== undefined && !known.isDeleted) endDraft(db, known.id, clock.now())
          return { draftId: id ?? context.newDraftId(), content: typed.content }
        }
        // A draft that ended meanwhile (sent or deleted elsewhere) and is typed in again is a new one.
        if (known === undefined || known.isDeleted) {
          const made = create(db, typed, known === undefined ? (id ?? undefined) : undefined)
          return { draftId: made, content: typed.content }
        }
        if (sameRecipient(known.local.recipient, typed.recipient) && known.local.content === typed.content)
          return { draftId: known.id, content: typed.content }
        const next = afterTyping(db, known, typed, basis)
        putDraft(db, { ...next, editedAt: clock.now() })
        return { draftId: known.id, content: next.local.content }
      })
      markTyped(saved.draftId)
      return saved
    },
    leave(id) {
      const draft = draftById(store.db, id)
      if (draft === undefined) return
      if (!draft.isDeleted && !isBlank(draft.local.content)) {
        store.write((db) => addVersion(db, id, draft.local, 'here', clock.now()))
      }
      changedAt.delete(id)
      firstUnsavedAt.delete(id)
      wake()
    },
    delete(id) {
      store.write((db) => endDraft(db, id, clock.now()))
      wake()
    },
    restore(id, number) {
      const version = versionsOf(store.db, id).find((candidate) => candidate.number === number)
      if (version === undefined) {
        throw new FailureError({
          kind: 'rejected',
          code: 'NO_SUCH_VERSION',
          message: 'This version is gone.',
          status: 0,
        })
      }
      const content: DraftContent = { recipient: version.recipient, content: version.content }
      store.write((db) => {
        const known = draftById(db, id)
        if (known === undefined || known.isDeleted) {
          create(db, content, known === undefined ? id : undefined)
          return
        }
        addVersion(db, id, known.local, 'here', clock.now())
        putDraft(db, {
          ...known,
          local: content,
          state: stateAfterTyping(known, content),
          editedAt: clock.now(),
        })
      })
      markTyped(id)
      return content
    },
    resolve(id, draft) {
      const known = demand(id)
      store.write((db) => {
        addVersion(db, id, known.local, 'here', clock.now())
        addVersion(db, id, draft, 'merged', clock.now())
        const base = known.onServer ?? known.base
        putDraft(db, {
          ...known,
          local: draft,
          base: known.serverId === null ? null : base,
          ...noConflict,
          editedAt: clock.now(),
        })
        const row = draftById(db, id)
        if (row !== undefined) putDraft(db, { ...row, state: stateOutOfConflict(row) })
      })
      changedAt.delete(id)
      wake()
    },
    keepBoth(id) {
      const known = demand(id)
      const { remote, onServer } = known
      if (remote === null) return
      store.write((db) => {
        const other = create(db, remote)
        addVersion(db, other, remote, 'elsewhere', clock.now())
        const row = draftById(db, other)
        const isTheirs = known.serverId !== null && known.saving === null && sameOnServer(remote, onServer)
        if (isTheirs && row !== undefined) {
          // The server's draft goes on as the other device's; ours is made anew.
          putDraft(db, { ...known, ...noConflict, serverId: null, base: null, editedAt: clock.now() })
          putDraft(db, { ...row, serverId: known.serverId, base: remote, state: 'synced' })
        } else putDraft(db, { ...known, ...noConflict, base: known.serverId === null ? null : onServer })
        const mine = draftById(db, id)
        if (mine !== undefined) putDraft(db, { ...mine, state: stateOutOfConflict(mine) })
      })
      wake()
    },
    onEvent(db, payload) {
      if (payload.op === 'add') for (const draft of payload.drafts) seeServerDraft(db, draft, context)
      else if (payload.op === 'update') seeServerDraft(db, payload.draft, context)
      else seeServerDraftGone(db, payload.draft_id, context)
      wake()
    },
    onSnapshot(db, seen, mayBeThere) {
      // A queue that was lost brings no echoes: what was accepted before is as the snapshot shows it.
      for (const draft of allDrafts(db)) {
        if (draft.saving !== null && acceptedAt.has(draft.id)) putDraft(db, { ...draft, state: 'unsure' })
      }
      acceptedAt.clear()
      // A server that keeps no drafts says that it has none: those here stay.
      seeServerDrafts(db, parts.keepsDrafts() ? seen : null, context, mayBeThere)
      wake()
    },
    onSwitch(db, areKept) {
      if (!areKept) seeServerDrafts(db, null, context)
      wake()
    },
    setOnline(value) {
      if (value === online) return
      online = value
      if (online) {
        store.write((db) => {
          for (const draft of allDrafts(db)) {
            if (draft.nextAttemptAt !== null) putDraft(db, { ...draft, nextAttemptAt: null })
          }
        })
      }
      wake()
    },
    wake,
  }
}
