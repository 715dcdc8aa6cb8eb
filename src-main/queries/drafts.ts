import type { DraftId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import type { Draft, DraftConflict, DraftContent, ListedDraft } from '../../src-shared/model/draft.ts'
import { isSameText } from '../store/as-kept.ts'
import { lastElsewhere, recipientBeforeMove } from '../store/draft-versions.ts'
import { allDrafts, draftById, draftsIn, type StoredDraft } from '../store/drafts.ts'
import type { QueryContext } from './context.ts'
import { labelOf } from './labels.ts'
import { ownBeginning, ownWords } from './own-words.ts'

/** The pieces of two versions side by side, from the pure merge. A parameter, so that queries stay below drafts. */
export type ConflictPieces = (draft: StoredDraft) => Pick<DraftConflict, 'pieces' | 'recipientDiffers'>

/** Every draft, newest first, except those deleted here. */
export function drafts(context: QueryContext, piecesOf: ConflictPieces): ListedDraft[] {
  const looks = ownWords(context.db)
  return allDrafts(context.db)
    .filter(({ isDeleted }) => !isDeleted)
    .map((draft) => ({
      ...toDraft(context, draft, piecesOf),
      beginning: ownBeginning(context.db, draft.local.content, looks),
    }))
}

/** The drafts in conflict, with their recipients only: this runs after every keystroke in a draft. */
export const draftsInConflict = (context: QueryContext): Pick<Draft, 'id' | 'label'>[] =>
  draftsIn(context.db, 'conflict').flatMap(({ id, isDeleted, local: { recipient } }) =>
    isDeleted ? [] : [{ id, label: recipient && labelOf(context, recipient) }],
  )

/** One draft; null if there is none or it ended. */
export function draft(context: QueryContext, id: DraftId, piecesOf: ConflictPieces): Draft | null {
  const stored = draftById(context.db, id)
  return stored === undefined || stored.isDeleted ? null : toDraft(context, stored, piecesOf)
}

/** The drafts for a conversation, newest first. */
export function conversationDrafts(
  context: QueryContext,
  conversation: Conversation,
  piecesOf: ConflictPieces,
): Draft[] {
  const key = conversationKey(conversation)
  return allDrafts(context.db)
    .filter(
      ({ isDeleted, local }) =>
        !isDeleted && local.recipient !== null && conversationKey(local.recipient) === key,
    )
    .map((draft) => toDraft(context, draft, piecesOf))
}

function refusalOf({ db }: QueryContext, { state, local, refusal }: StoredDraft): string | null {
  if (refusal === null || (state !== 'edited' && state !== 'conflict')) return null
  const keyOf = ({ recipient }: DraftContent) => recipient && conversationKey(recipient)
  return keyOf(refusal) === keyOf(local) && isSameText(db, refusal.content, local.content)
    ? refusal.reason
    : null
}

function toDraft(context: QueryContext, draft: StoredDraft, piecesOf: ConflictPieces): Draft {
  const { local, remote } = draft
  const from = recipientBeforeMove(context.db, draft)
  return {
    id: draft.id,
    ...local,
    label: local.recipient === null ? null : labelOf(context, local.recipient),
    cameFrom: from === null ? null : labelOf(context, from),
    lastElsewhere: lastElsewhere(context.db, draft.id),
    state: draft.state,
    isOnServer: draft.serverId !== null,
    refusal: refusalOf(context, draft),
    editedAt: draft.editedAt,
    conflict:
      draft.state !== 'conflict' || remote === null
        ? null
        : {
            base: draft.base,
            local,
            remote,
            localEditedAt: draft.editedAt,
            remoteEditedAt: draft.remoteEditedAt ?? draft.editedAt,
            ...piecesOf(draft),
          },
  }
}
