import { draftId } from '../../src-shared/ids.ts'
import type { DraftVersion, EndedDraft } from '../../src-shared/model/draft.ts'
import { versionsOf } from '../store/draft-versions.ts'
import { allDrafts } from '../store/drafts.ts'
import type { QueryContext } from './context.ts'
import { labelOf } from './labels.ts'
import { ownBeginning, ownWords } from './own-words.ts'

const most = 100

/**
 * The drafts that ended in the last 30 days and whose words may be nowhere else: deleted here, discarded as messages, or
 * ended elsewhere.
 * Newest first, at most 100. What was sent from here is in its conversation, and what was restored is a draft again.
 */
export function endedDrafts(context: QueryContext): EndedDraft[] {
  const { db } = context
  const looks = ownWords(db)
  const living = new Set(
    allDrafts(db)
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ local }) => local.content),
  )
  return db
    .all<{ id: string; endedAt: number }>(
      `SELECT draft_id AS id, ended_at AS endedAt FROM draft_versions AS last
       WHERE ended_at IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM draft_versions AS other
         WHERE other.draft_id = last.draft_id AND (other.number > last.number OR other.origin = 'sent'))
       ORDER BY ended_at DESC, draft_id LIMIT ?`,
      [most],
    )
    .flatMap(({ id, endedAt }) => {
      const versions = versionsOf(db, draftId(id))
      const last = lastWritten(versions)
      if (last === undefined || living.has(last.content)) return []
      const { number, recipient, content } = last
      return {
        id: draftId(id),
        number,
        recipient,
        content,
        label: recipient === null ? null : labelOf(context, recipient),
        beginning: ownBeginning(db, content, looks),
        endedAt,
        hasOthers: versions.some((one) => one.content.trim() !== content.trim()),
      }
    })
}

/** The newest version that is not just the beginning of the one before: who empties a field erases its end first. */
const lastWritten = (versions: readonly DraftVersion[]): DraftVersion | undefined =>
  versions.find(({ content }, index) => {
    const before = versions[index + 1]?.content ?? ''
    return before === content || !before.startsWith(content)
  })
