import { draftId, newId, type DraftId } from '../../src-shared/ids.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { WritableDb } from '../store/database.ts'
import { keepDiscarded } from '../store/draft-versions.ts'
import { draftById } from '../store/drafts.ts'
import type { OutboxRow } from '../store/outbox.ts'
import { typedWords } from '../store/typed-words.ts'

/**
 * Keeps the text of a change that is discarded as that of a deleted draft: the one that the change was, or a new one if
 * there is none or it goes on. Returns its id; null if the change has no text.
 */
export function keepWords(db: WritableDb, row: OutboxRow, clock: Clock): DraftId | null {
  const words = typedWords(db, row)
  if (words === null) return null
  const was = row.action !== null && 'draftId' in row.action ? row.action.draftId : null
  const goesOn = was !== null && draftById(db, was)?.isDeleted === false
  const id = was === null || goesOn ? draftId(newId('d', clock)) : was
  keepDiscarded(db, id, { recipient: words.conversation, content: words.content }, clock.now())
  return id
}
