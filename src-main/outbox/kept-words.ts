import { draftId, newId, type DraftId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { ReadableDb, WritableDb } from '../store/database.ts'
import { keepDiscarded } from '../store/draft-versions.ts'
import { draftById } from '../store/drafts.ts'
import { messageInPlace } from '../store/messages.ts'
import { markdownOfRow, type OutboxRow } from '../store/outbox.ts'

/** Where the text of a change belongs; null if that is gone or no conversation, undefined if it has no text. */
export function placeOfWords(db: ReadableDb, { action, state }: OutboxRow): Conversation | null | undefined {
  switch (action?.name) {
    case 'edit-message':
      return messageInPlace(db, action.messageId)?.conversation ?? null
    case 'set-profile-field':
    case 'save-snippet':
    case 'change-snippet':
      return null
    // While they wait, they are changed where they are shown.
    case 'widget-step':
    case 'report-message':
    case 'remind-me':
    case 'change-reminder':
    case 'set-status':
    case 'change-channel':
    case 'change-group':
    case 'change-folder':
      return state === 'refused' ? null : undefined
    default:
      return action != null && 'conversation' in action ? action.conversation : undefined
  }
}

/**
 * Keeps the text of a change that is discarded as that of a deleted draft: the one that the change was, or a new one if
 * there is none or it goes on. Returns its id; null if the change has no text.
 */
export function keepWords(db: WritableDb, row: OutboxRow, clock: Clock): DraftId | null {
  const content = markdownOfRow(db, row)
  if (content === null) return null
  const was = row.action !== null && 'draftId' in row.action ? row.action.draftId : null
  const goesOn = was !== null && draftById(db, was)?.isDeleted === false
  const id = was === null || goesOn ? draftId(newId('d', clock)) : was
  keepDiscarded(db, id, { recipient: placeOfWords(db, row) ?? null, content }, clock.now())
  return id
}
