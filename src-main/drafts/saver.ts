import { minuteMs } from '../../src-shared/durations.ts'
import type { DraftId, ServerDraftId } from '../../src-shared/ids.ts'
import { createAlarm } from '../../src-shared/clock/alarm.ts'
import { lingerMs, unlessSetBack } from '../api/backoff.ts'
import { idleMs, keepGoing } from '../api/keep-going.ts'
import type { WritableDb } from '../store/database.ts'
import {
  allDrafts,
  draftById,
  draftsIn,
  draftsUnsettled,
  forgetDraftWaits,
  putDraft,
  type StoredDraft,
} from '../store/drafts.ts'
import { isInProvisionalChannel } from '../store/provisional.ts'
import { writeIfPossible } from '../store/write-if-possible.ts'
import { createDraftRequests } from './draft-requests.ts'
import type { DraftsParts } from './drafts-parts.ts'
import type { ReconcileContext } from './reconcile.ts'
import { followUploads } from './uploads.ts'
import { isBlank, sameOnServer } from './wire.ts'

/** A draft is saved on the server after a pause in typing of this length, in milliseconds. */
const quietMs = 2_500
/** If the person does not pause, it is saved after this time, in milliseconds. */
const longestMs = 5_000
/** How long to wait for the echo of an accepted save before the account registers anew, in milliseconds. */
const echoMs = minuteMs
/** How many due drafts are processed before the list of due drafts is computed again. */
const mostInARow = 25

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
  /** A registration is requested. */
  registering(): void
  /** Whether the server accepted a save of the draft after the last registration was requested. */
  isNewer(id: DraftId): boolean
  /** Whether the server deleted it after that request, as far as that is not seen yet. */
  isDeletedThere(id: ServerDraftId): boolean
  /**
   * After a new registration no echoes of earlier saves arrive, from before it was requested: their outcome is read from
   * the snapshot.
   */
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
  const { store, clock, signal } = parts
  const firstUnsavedAt = new Map<DraftId, number>()
  const changedAt = new Map<DraftId, number>()
  const acceptedAt = new Map<DraftId, number>()
  /** The drafts of which a save was accepted since the last registration was requested. */
  const newer = new Set<DraftId>()
  /** The drafts that the server deleted since then, until that is seen; local ids are used again. */
  const deleted = new Set<ServerDraftId>()
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
    if (draft.isDeleted && draft.serverId !== null) return deleted.has(draft.serverId) ? null : retryAt
    if (draft.state === 'unsure') return retryAt
    if (draft.state === 'saving') {
      const accepted = acceptedAt.get(draft.id)
      return accepted === undefined ? null : unlessSetBack(accepted + echoMs, now, echoMs)
    }
    if (draft.isDeleted || draft.state !== 'edited' || isBlank(draft.local.content)) return null
    // The server does not have the channel yet.
    if (isInProvisionalChannel(draft.local.recipient)) return null
    // Other devices could not send it with our address of the file.
    if (parts.files.isUploading(draft.local.content)) return null
    const { refusal } = draft
    const isRefused = refusal !== null && sameOnServer(store.db, refusal, draft.local)
    if (isRefused && !offeredAgain.has(draft.id)) return null
    const quiet = unlessSetBack((changedAt.get(draft.id) ?? 0) + quietMs, now, quietMs)
    const longest = unlessSetBack((firstUnsavedAt.get(draft.id) ?? 0) + longestMs, now, longestMs)
    return Math.max(retryAt, Math.min(quiet, longest))
  }

  const sendNext = createDraftRequests(parts, context, {
    saveBegins(id) {
      const offersBefore = offers
      acceptedAt.delete(id)
      firstUnsavedAt.delete(id)
      return {
        refused() {
          // After another offer, the reason may no longer apply.
          if (offers === offersBefore) offeredAgain.delete(id)
          else offeredAgain.add(id)
        },
      }
    },
    accepted(id) {
      acceptedAt.set(id, clock.now())
      newer.add(id)
    },
    deleted: (id) => void deleted.add(id),
    brokeOff: rest,
    mayBeUnderWay: (id) => resting.has(id),
  })

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
    for (const remembered of [firstUnsavedAt, changedAt, acceptedAt, newer, offeredAgain]) {
      for (const id of remembered.keys()) if (!ids.has(id)) remembered.delete(id)
    }
    const serverIds = new Set(unsettled.map(({ serverId }) => serverId))
    for (const id of deleted) if (!serverIds.has(id)) deleted.delete(id)
  }

  /** Processes what is due, or waits until something is. */
  const processDue = async () => {
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
      await sendNext(draft)
      if (signal.aborted || !online || !parts.keepsDrafts()) return
    }
  }

  keepGoing(processDue, { clock, signal, log: (line) => parts.log(`drafts: ${line}`) })

  /** Makes all retries due now. If the disk fails, they keep their times. */
  const makeAllDue = () =>
    writeIfPossible(store, forgetDraftWaits, (reason) =>
      parts.log(`drafts: waits could not be cut short: ${reason}`),
    )

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
    registering() {
      newer.clear()
      deleted.clear()
    },
    isNewer: (id) => newer.has(id),
    isDeletedThere: (id) => deleted.has(id),
    forgetEchoes(db) {
      for (const id of acceptedAt.keys()) {
        if (newer.has(id)) continue
        acceptedAt.delete(id)
        const draft = draftById(db, id)
        if (draft !== undefined && draft.saving !== null) putDraft(db, { ...draft, state: 'unsure' })
      }
    },
    mayBeUnderWay: (id) => resting.has(id),
    setOnline(value) {
      if (value === online) return
      online = value
      if (online) makeAllDue()
      wake()
    },
    wake,
    tryNow() {
      if (online) makeAllDue()
      wake()
    },
  }
}
