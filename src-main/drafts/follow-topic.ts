import type { Conversation } from '../../src-shared/model/conversation.ts'
import { conversationKey } from '../../src-shared/model/conversation.ts'
import type { DraftContent } from '../../src-shared/model/draft.ts'
import type { WritableDb } from '../store/database.ts'
import { addVersion, readdressEnded } from '../store/draft-versions.ts'
import { allDrafts, putDraft, type StoredDraft } from '../store/drafts.ts'

/**
 * Changes the recipient of the drafts for a topic that was moved or renamed, also of those that ended. The previous
 * state of each is kept as a version, from which lists show where it was. Every device does the same when it receives
 * the event: the first one saves the draft, the others then find it equal. `stateOf` returns the state of a draft with
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
  const isBehind = (one: Pick<DraftContent, 'recipient'> | null) =>
    one !== null && one.recipient !== null && conversationKey(one.recipient) === key
  readdressEnded(db, (recipient) => isBehind({ recipient }), to)
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
