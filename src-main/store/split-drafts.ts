import { draftId, newId, type DraftId } from '../../src-shared/ids.ts'
import { conversationKey } from '../../src-shared/model/conversation.ts'
import type { DraftContent } from '../../src-shared/model/draft.ts'
import { isSameText } from './as-kept.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { addVersion, countAsSent } from './draft-versions.ts'
import { draftById, endDraft, insertDraft, noConflict, putDraft, type StoredDraft } from './drafts.ts'

/**
 * Makes the other device's version of a draft in conflict a draft of its own, with this id. Returns the draft without
 * that version; its state is still the one of the conflict.
 */
export function splitDraft(
  db: WritableDb,
  draft: StoredDraft,
  otherId: DraftId,
  state: 'edited' | 'local-only',
  now: number,
): StoredDraft {
  const { remote, onServer, serverId } = draft
  if (remote === null) return draft
  const other = insertDraft(db, otherId, remote, state, now)
  addVersion(db, otherId, remote, 'elsewhere', now)
  if (serverId !== null && draft.saving === null && isSame(db, remote, onServer)) {
    // The draft on the server stays the other device's version; ours is a new one.
    const mine: StoredDraft = { ...draft, ...noConflict, serverId: null, base: null, editedAt: now }
    putDraft(db, mine)
    putDraft(db, { ...other, serverId, base: remote, state: 'synced' })
    return mine
  }
  const mine: StoredDraft = { ...draft, ...noConflict, base: serverId === null ? null : onServer }
  putDraft(db, mine)
  return mine
}

/**
 * Ends a draft because it was sent from here with this text. The other device's version of a draft in conflict was not
 * sent: it goes on as a draft of its own.
 */
export function endSentDraft(
  db: WritableDb,
  id: DraftId,
  content: string,
  clock: { now(): number; random(): number },
): void {
  const draft = draftById(db, id)
  if (draft === undefined || draft.isDeleted) {
    countAsSent(db, id, content)
    return
  }
  if (draft.remote !== null && !isSame(db, draft.remote, draft.local))
    splitDraft(db, draft, draftId(newId('d', clock)), 'edited', clock.now())
  endDraft(db, id, clock.now(), 'sent')
}

const keyOf = ({ recipient }: DraftContent) => recipient && conversationKey(recipient)

/** Whether the server would store both as the same. */
const isSame = (db: ReadableDb, a: DraftContent, b: DraftContent | null): boolean =>
  b !== null && keyOf(a) === keyOf(b) && isSameText(db, a.content, b.content)
