import type { Conversation } from '../../src-shared/model/conversation.ts'
import { conversationKey } from '../../src-shared/model/conversation.ts'
import type { DraftContent } from '../../src-shared/model/draft.ts'
import type { WritableDb } from '../store/database.ts'
import { addVersion, allDrafts, putDraft, type StoredDraft } from '../store/drafts.ts'

/**
 * Drafts for a topic that has another name or channel now go along: their words are for the conversation, not for its
 * old name. Each keeps a version as it was, by which lists tell where it came from. Every device that hears of the move
 * does the same, so the first one saves it and the others find it done. `stateOf` says where a draft stands with
 * its new recipient.
 */
export function followTopic(
  db: WritableDb,
  from: Conversation,
  to: Conversation,
  now: number,
  stateOf: (draft: StoredDraft, local: DraftContent) => StoredDraft['state'],
): void {
  const key = conversationKey(from)
  const isBehind = (one: DraftContent | null) =>
    one !== null && one.recipient !== null && conversationKey(one.recipient) === key
  for (const draft of allDrafts(db)) {
    const { local, remote } = draft
    if (draft.isDeleted || !(isBehind(local) || isBehind(remote))) continue
    if (isBehind(local)) addVersion(db, draft.id, local, 'followed', now)
    const next: DraftContent = isBehind(local) ? { ...local, recipient: to } : local
    putDraft(db, {
      ...draft,
      local: next,
      remote: remote !== null && isBehind(remote) ? { ...remote, recipient: to } : remote,
      state: stateOf(draft, next),
    })
  }
}
