import { keptText } from '../store/as-kept.ts'
import type { WritableDb } from '../store/database.ts'
import { keepOwnMarkdown } from '../store/messages.ts'
import { removeOutboxRow, type OutboxRow } from '../store/outbox.ts'
import type { OutgoingFiles } from './outgoing-files.ts'

/**
 * Removes a row whose message is in the cache. The Markdown that the person wrote stays with the message, so that it
 * can be edited, quoted and copied offline.
 */
export function endSent(
  db: WritableDb,
  { localId, action }: Pick<OutboxRow, 'localId' | 'action'>,
  messageId: number,
  files: Pick<OutgoingFiles, 'linked'>,
): void {
  const content = action?.name === 'send-message' ? files.linked(action.content) : null
  if (content !== null) keepOwnMarkdown(db, messageId, keptText(db, content))
  removeOutboxRow(db, localId)
}
