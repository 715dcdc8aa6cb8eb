import { snippets } from '../../../src-shared/api/snippets.ts'
import { object, patchObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'
import { keptSnippet } from './save-snippet.ts'

/** Changes the title or text of a snippet (specification, PATCH /saved_snippets/{saved_snippet_id}). */
export const changeSnippet: OfflineAction<'change-snippet'> = {
  isRepeatable: true,
  // Shared with new snippets: saving one again after its deletion must not find the old one.
  lane: () => 'snippets',
  isApplied(db, action) {
    const there = object(db, 'saved-snippet', action.snippetId)
    const { title, content } = keptSnippet(action)
    return there === undefined || (there['title'] === title && there['content'] === content)
  },
  apply: (db, action) => patchObject(db, 'saved-snippet', action.snippetId, keptSnippet(action)),
  async send({ snippetId, title, content }, { connection, signal }) {
    await connection.call(
      snippets.editSavedSnippet,
      { saved_snippet_id: snippetId, title, content },
      { signal },
    )
    return null
  },
  join: (earlier, later) => (earlier.snippetId === later.snippetId ? later : undefined),
}
