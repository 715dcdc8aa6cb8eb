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
  allDrafts,
  draftByServerId,
  draftsIn,
  draftsSyncedAt,
  draftsWithoutServer,
  endVersions,
  hasFollowedFrom,
  noConflict,
  putDraft,
  removeDraft,
  versionsOf,
  type StoredDraft,
} from '../store/drafts.ts'
import { mergeDraft } from './merge.ts'
import { draftFromApi, sameOnServer } from './wire.ts'

/** What reconciling needs beside the database. */
export interface ReconcileContext {
  readonly ownUserId: UserId
  now(): number
  newDraftId(): DraftId
}

// The order in which the server's versions are seen here (events, snapshots) is the order in which the server had
// them. An answer to a save only says that the save was accepted; `saving` therefore stays until its echo is seen,
// and whatever is seen before the echo was on the server before our save.

/** The server has this version of one draft: an `add` or `update` event, or one entry of a snapshot. */
export function seeServerDraft(db: WritableDb, seen: ApiDraft, context: ReconcileContext): void {
  const remote = draftFromApi(seen, context.ownUserId)
  const seenAt = seen.timestamp > 0 ? Math.floor(seen.timestamp * 1000) : context.now()
  const known = draftByServerId(db, seen.id) ?? pairWithCreate(db, seen, remote)
  if (known === undefined) {
    adopt(db, seen, remote, seenAt, context)
    dropDuplicate(db, seen.id)
    return
  }
  if (known.isDeleted) {
    // Deleted here; the words of the other device stay findable.
    if (!sameOnServer(db, remote, known.saving) && !sameOnServer(db, remote, known.base)) {
      addVersion(db, known.id, remote, 'elsewhere', context.now())
    }
    putDraft(db, { ...known, saving: sameOnServer(db, remote, known.saving) ? null : known.saving })
    return
  }
  putDraft(db, withServerVersion(db, known, remote, seenAt, context))
  dropDuplicate(db, seen.id)
}

/** The server no longer has this draft: sent or deleted elsewhere, or the server forgot it. */
export function seeServerDraftGone(db: WritableDb, serverId: number, context: ReconcileContext): void {
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
  // Words that only this device has: kept, and created again.
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

/**
 * Everything the server has, at once; null when it keeps no drafts at all. That it lacks a save which `mayBeUnderWay`
 * proves nothing.
 */
export function seeServerDrafts(
  db: WritableDb,
  seen: readonly ApiDraft[] | null,
  context: ReconcileContext,
  mayBeThere: (serverId: number) => boolean = () => false,
  mayBeUnderWay: (id: DraftId) => boolean = () => false,
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
      if (!mayBeThere(serverId)) seeServerDraftGone(db, serverId, context)
    } else if (draft.state === 'local-only') putDraft(db, { ...draft, state: 'edited' })
  }
  for (const draft of seen) seeServerDraft(db, draft, context)
  for (const draft of draftsIn(db, 'unsure')) if (!mayBeUnderWay(draft.id)) endUnsure(db, draft)
}

/** The server has spoken: a save that got no answer and is not to be seen did not arrive. */
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

/** The server's id of what a save without an answer made or changed; undefined when the list does not show it. */
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
 * A draft of ours that is just what the server now shows: one whose create was not answered, or one that another
 * device had too and created first.
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
    // Our own save, seen: the server has what we sent, and the person may have gone on since.
    const saved = { ...known, saving: null, attempts: 0, nextAttemptAt: null }
    // In a conflict ours now lies on top of theirs, and the person still has to say what becomes of both.
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
  const isUntouched = base === known.base && sameOnServer(db, known.local, base)
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
    // Somebody goes on from what we wrote over theirs: that is joined, and theirs still waits for the person.
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

/** What both sides go back to: of a text that was too long for the server, what it kept. The rest is only here. */
function asShared(db: WritableDb, base: DraftContent | null): DraftContent | null {
  if (base === null) return base
  const kept = keptText(db, base.content)
  return kept === withoutBlankEdges(base.content) ? base : { ...base, content: kept }
}

/**
 * Whether a version is only what this device has or had, still addressed to where the topic was: saved by a device that
 * had not heard of the move, or by a server that came to a save late. Who chooses the old place on purpose writes later
 * than what is here.
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
 * Devices that create the same draft at the same moment make several of it. The one with the lowest id stays; each
 * device that sees them in agreement deletes the others on the server. Written at the same second, to the same
 * recipient, with the same words: that is one draft, not two of a kind.
 */
function dropDuplicate(db: WritableDb, serverId: number): void {
  const seen = draftByServerId(db, serverId)
  if (seen === undefined || seen.state !== 'synced' || seen.isDeleted) return
  const [, ...others] = draftsSyncedAt(db, seen.editedAt, keptText(db, seen.local.content))
    .filter((draft) => sameOnServer(db, draft.local, seen.local))
    .sort((a, b) => Number(a.serverId) - Number(b.serverId))
  for (const draft of others) putDraft(db, { ...draft, isDeleted: true })
}
