import { snippets } from '../../../src-shared/api/snippets.ts'
import { patchObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Another title or text for a snippet (specification, PATCH /saved_snippets/{saved_snippet_id}). */
export const changeSnippet: OfflineAction<'change-snippet'> = {
  isRepeatable: true,
  // With what keeps new ones: one that is kept again after it was deleted does not meet the old one.
  lane: () => 'snippets',
  conversation: () => null,
  apply: (db, { snippetId, title, content }) =>
    patchObject(db, 'saved-snippet', snippetId, { title, content }),
  async send({ snippetId, title, content }, { connection, signal }) {
    await connection.call(
      snippets.editSavedSnippet,
      { saved_snippet_id: snippetId, title, content },
      { signal },
    )
    return null
  },
  concerns: () => [],
  join: (earlier, later) => (earlier.snippetId === later.snippetId ? later : undefined),
}
