import type { ApiDraft } from '../../src-shared/api/drafts.ts'
import {
  draftId,
  serverDraftId,
  type DraftId,
  type ServerDraftId,
  type UserId,
} from '../../src-shared/ids.ts'
import type { DraftContent } from '../../src-shared/model/draft.ts'
import type { WritableDb } from '../store/database.ts'
import { isSameText, keptText, withoutBlankEdges } from '../store/as-kept.ts'
import {
  addVersion,
  endVersions,
  hasFollowedFrom,
  joinVersions,
  versionsOf,
} from '../store/draft-versions.ts'
import {
  allDrafts,
  draftByServerId,
  draftsIn,
  draftsSyncedAt,
  draftsWithoutServer,
  noConflict,
  putDraft,
  removeDraft,
  type StoredDraft,
} from '../store/drafts.ts'
import { mergeDraft } from './merge.ts'
import { draftFromApi, sameOnServer } from './wire.ts'

/** What reconciling needs besides the database. */
export interface ReconcileContext {
  readonly ownUserId: UserId
  now(): number
  newDraftId(): DraftId
}

// Versions arrive here (events, snapshots) in the order in which the server stored them. The answer to a save only says
// that it was accepted, not when. Therefore `saving` stays set until the echo arrives, and a version that arrives
// before the echo was on the server before our save.

/** Applies the server's version of a draft, from an `add` or `update` event or a snapshot. */
export function applyServerDraft(db: WritableDb, seen: ApiDraft, context: ReconcileContext): void {
  const remote = draftFromApi(seen, context.ownUserId)
  const seenAt = seen.timestamp > 0 ? Math.floor(seen.timestamp * 1000) : context.now()
  const known = draftByServerId(db, seen.id) ?? pairWithCreate(db, seen, remote)
  if (known === undefined) {
    adopt(db, seen, remote, seenAt, context)
    dropDuplicate(db, seen.id)
    return
  }
  if (known.isDeleted) {
    if (wasHere(db, known, remote)) {
      // Its versions may go to another draft by restoring one: the row itself tells what the server has.
      const isEcho = sameOnServer(db, remote, known.saving)
      putDraft(db, { ...known, base: remote, saving: isEcho ? null : known.saving })
      return
    }
    // Sent or deleted here, while another device wrote what was neither sent nor seen: that goes on as a draft.
    removeDraft(db, known.id)
    adopt(db, seen, remote, seenAt, context)
    return
  }
  putDraft(db, withServerVersion(db, known, remote, seenAt, context))
  dropDuplicate(db, seen.id)
}

/** Whether a text was on this device before its draft ended. */
const wasHere = (
  db: WritableDb,
  { id, local, base, saving }: StoredDraft,
  { content }: DraftContent,
): boolean =>
  [local, base, saving, ...versionsOf(db, id)].some(
    (one) => one !== null && isSameText(db, content, one.content),
  )

/** The server no longer has this draft: it was sent or deleted elsewhere, or the server lost it. */
export function applyServerDraftRemoval(db: WritableDb, serverId: number, context: ReconcileContext): void {
  const known = draftByServerId(db, serverId)
  if (known === undefined) return
  if (known.isDeleted) {
    removeDraft(db, known.id)
    return
  }
  const isUntouched = known.state === 'synced' || sameOnServer(db, known.local, known.base)
  if (isUntouched && known.saving === null) {
    addVersion(db, known.id, known.local, 'elsewhere', context.now())
    endVersions(db, known.id, context.now())
    removeDraft(db, known.id)
    return
  }
  // This device has changes that the server never had: the draft is kept and created again.
  putDraft(db, {
    ...known,
    serverId: null,
    state: 'edited',
    base: null,
    ...noConflict,
    saving: null,
    nextAttemptAt: null,
  })
}

/** What is uncertain about a complete list of the server's drafts; nothing by default. */
interface Uncertain {
  /** Whether the list may lack a draft that the server has. */
  mayBeThere?(serverId: ServerDraftId): boolean
  /** Whether the server accepted a save of the draft since the list was requested: its event follows. */
  isNewer?(id: DraftId): boolean
  /** Whether the server may still be processing a save of the draft. */
  mayBeUnderWay?(id: DraftId): boolean
}

/**
 * Applies the complete list of the server's drafts; null if it keeps no drafts. Drafts that are missing from the list
 * are gone, and saves that are missing did not arrive, unless that is uncertain.
 */
export function applyServerDrafts(
  db: WritableDb,
  seen: readonly ApiDraft[] | null,
  context: ReconcileContext,
  { mayBeThere = () => false, isNewer = () => false, mayBeUnderWay = () => false }: Uncertain = {},
): void {
  if (seen === null) {
    for (const draft of allDrafts(db)) {
      if (draft.isDeleted) removeDraft(db, draft.id)
      else putDraft(db, asLocalOnly(draft))
    }
    return
  }
  const ids = new Set(seen.map(({ id }) => id))
  for (const draft of allDrafts(db)) {
    const { serverId } = draft
    if (serverId !== null && !ids.has(serverId)) {
      if (!mayBeThere(serverId) && !isNewer(draft.id)) applyServerDraftRemoval(db, serverId, context)
    } else if (draft.state === 'local-only') putDraft(db, { ...draft, state: 'edited' })
  }
  for (const draft of seen) applyServerDraft(db, draft, context)
  for (const draft of draftsIn(db, 'unsure')) {
    const mayBe = mayBeUnderWay(draft.id) || mayBeThere(draft.serverId ?? serverDraftId(0))
    if (!mayBe) endUnsure(db, draft)
  }
}

/** Ends a save without an answer that did not arrive: the server's list does not contain it. */
export function endUnsure(db: WritableDb, draft: StoredDraft): void {
  if (draft.isDeleted && draft.serverId === null) removeDraft(db, draft.id)
  else
    putDraft(db, {
      ...draft,
      state: draft.remote === null ? 'edited' : 'conflict',
      saving: null,
      nextAttemptAt: null,
    })
}

/**
 * Looks up a save without an answer in the server's list: the id of its draft, undefined if the list does not contain
 * it.
 */
export function findSave(
  db: WritableDb,
  { serverId, saving }: StoredDraft,
  list: readonly ApiDraft[],
  { ownUserId }: ReconcileContext,
): ServerDraftId | undefined {
  const found = list.find(
    (seen) =>
      (serverId === null ? draftByServerId(db, seen.id) === undefined : seen.id === serverId) &&
      sameOnServer(db, draftFromApi(seen, ownUserId), saving),
  )
  return found && serverDraftId(found.id)
}

function asLocalOnly(draft: StoredDraft): StoredDraft {
  return {
    ...draft,
    serverId: null,
    state: draft.remote === null ? 'local-only' : 'conflict',
    base: draft.remote === null ? null : draft.base,
    saving: null,
    attempts: 0,
    nextAttemptAt: null,
  }
}

/**
 * A draft here without a server id that equals the server's new draft: its own creation, not answered yet, or the same
 * draft created by another device first.
 */
function pairWithCreate(db: WritableDb, seen: ApiDraft, remote: DraftContent): StoredDraft | undefined {
  const unpaired = draftsWithoutServer(db)
  const match =
    unpaired.find(({ saving }) => saving !== null && sameOnServer(db, saving, remote)) ??
    unpaired.find(
      ({ saving, isDeleted, local }) => saving === null && !isDeleted && sameOnServer(db, local, remote),
    )
  return match && { ...match, serverId: serverDraftId(seen.id) }
}

function adopt(
  db: WritableDb,
  seen: ApiDraft,
  remote: DraftContent,
  seenAt: number,
  context: ReconcileContext,
): void {
  const id = context.newDraftId()
  putDraft(db, {
    id: draftId(id),
    serverId: serverDraftId(seen.id),
    state: 'synced',
    local: remote,
    base: remote,
    ...noConflict,
    saving: null,
    refusal: null,
    createdAt: seenAt,
    editedAt: seenAt,
    isDeleted: false,
    attempts: 0,
    nextAttemptAt: null,
  })
  addVersion(db, id, remote, 'elsewhere', context.now())
}

function withServerVersion(
  db: WritableDb,
  known: StoredDraft,
  remote: DraftContent,
  seenAt: number,
  context: ReconcileContext,
): StoredDraft {
  if (known.saving !== null && sameOnServer(db, remote, known.saving)) {
    // The echo of our save. The person may have typed more since.
    const saved = { ...known, saving: null, attempts: 0, nextAttemptAt: null }
    // In a conflict, our save has overwritten the other version, and the person still has to choose.
    if (known.remote !== null) return { ...saved, state: 'conflict', onServer: known.saving }
    const isSame = sameOnServer(db, known.local, known.saving)
    return { ...saved, base: known.saving, state: isSame ? 'synced' : 'edited' }
  }
  if (sameOnServer(db, remote, known.onServer ?? known.base)) return known
  if (isLeftBehind(db, known, remote, seenAt)) {
    return { ...known, base: remote, state: known.saving === null ? 'edited' : known.state }
  }
  addVersion(db, known.id, remote, 'elsewhere', context.now())
  if (sameOnServer(db, remote, known.local)) {
    const state = known.saving === null ? 'synced' : known.state
    return { ...known, base: remote, ...noConflict, state }
  }
  const base = asShared(db, known.base)
  // Of a text that is too long for the server, the end is only here.
  const isUntouched = asShared(db, known.local) === known.local && sameOnServer(db, known.local, base)
  if (isUntouched && known.saving === null) {
    return {
      ...known,
      local: remote,
      base: remote,
      ...noConflict,
      state: 'synced',
      editedAt: seenAt,
    }
  }
  addVersion(db, known.id, known.local, 'here', context.now())
  if (known.onServer !== null && !sameOnServer(db, known.onServer, known.remote)) {
    // Another device continued from our save. That is merged; the conflict with its earlier version stays open.
    const onTop = mergeDraft(known.onServer, known.local, remote)
    if (onTop.kind === 'clean') return { ...known, local: onTop.draft, onServer: remote }
  }
  const merged = mergeDraft(base, known.local, remote)
  if (merged.kind === 'conflict') {
    return { ...known, state: 'conflict', remote, remoteEditedAt: seenAt, onServer: remote }
  }
  addVersion(db, known.id, merged.draft, 'merged', context.now())
  return {
    ...known,
    local: merged.draft,
    base: remote,
    ...noConflict,
    state: known.saving === null ? 'edited' : known.state,
    editedAt: Math.max(known.editedAt, seenAt),
  }
}

/** The common ancestor: for a text that was too long for the server, the part that the server kept. */
function asShared(db: WritableDb, base: DraftContent | null): DraftContent | null {
  if (base === null) return base
  const kept = keptText(db, base.content)
  return kept === withoutBlankEdges(base.content) ? base : { ...base, content: kept }
}

/**
 * Whether a version only differs by the old place of a moved topic: another device saved it before it received the
 * move, or the server processed a save late. If a person chooses the old place on purpose, their version is newer than
 * ours.
 */
function isLeftBehind(db: WritableDb, known: StoredDraft, remote: DraftContent, seenAt: number): boolean {
  return (
    known.remote === null &&
    Math.floor(seenAt / 1000) <= Math.floor(known.editedAt / 1000) &&
    hasFollowedFrom(db, known.id, remote.recipient) &&
    (isSameText(db, remote.content, known.local.content) ||
      versionsOf(db, known.id).some((version) => sameOnServer(db, version, remote)))
  )
}

/**
 * If several devices create the same draft at the same time, the server has several copies. Copies have the same
 * second, recipient and text. The one with the lowest id stays; each device that has them in sync deletes the others on
 * the server.
 */
function dropDuplicate(db: WritableDb, serverId: number): void {
  const seen = draftByServerId(db, serverId)
  if (seen === undefined || seen.state !== 'synced' || seen.isDeleted) return
  const [first, ...others] = draftsSyncedAt(db, seen.editedAt, keptText(db, seen.local.content))
    .filter((draft) => sameOnServer(db, draft.local, seen.local))
    .sort((a, b) => Number(a.serverId) - Number(b.serverId))
  if (first === undefined) return
  for (const draft of others) {
    joinVersions(db, draft, first.id)
    putDraft(db, { ...draft, isDeleted: true })
  }
}
