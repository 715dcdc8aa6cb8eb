import { snippets } from '../../../src-shared/api/snippets.ts'
import { object, removeObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Deletes a snippet (specification, DELETE /saved_snippets/{saved_snippet_id}). */
export const deleteSnippet: OfflineAction<'delete-snippet'> = {
  isRepeatable: true,
  lane: () => 'snippets',
  withDetails(db, action) {
    const was = object(db, 'saved-snippet', action.snippetId)
    return was === undefined ? action : { ...action, was: { ...was } }
  },
  apply: (db, { snippetId }) => removeObject(db, 'saved-snippet', snippetId),
  async send({ snippetId }, { connection, signal }) {
    await connection.call(snippets.deleteSavedSnippet, { saved_snippet_id: snippetId }, { signal })
    return null
  },
  // Also true if another device deleted it.
  async isAlreadyDone({ snippetId }, _code, { connection, signal }) {
    const { saved_snippets } = await connection.call(snippets.getSavedSnippets, {}, { signal })
    return !saved_snippets.some(({ id }) => id === snippetId)
  },
}
