import { snippets } from '../../../src-shared/api/snippets.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { putObject, type ListedObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** A snippet as the server stores it: without blank edges. */
export const keptSnippet = ({ title, content }: { readonly title: string; readonly content: string }) => ({
  title: title.trim(),
  content: content.trim(),
})

const isMade = (action: ActionOf<'save-snippet'>, one: ListedObject): boolean => {
  const { title, content } = keptSnippet(action)
  return one['title'] === title && one['content'] === content
}

/** Saves a new snippet (specification, POST /saved_snippets). The list shows it at once, as waiting. */
export const saveSnippet: OfflineAction<'save-snippet'> = {
  isRepeatable: false,
  lane: () => 'snippets',
  apply: () => {},
  restores(db, action, earlier) {
    if (earlier.name !== 'delete-snippet' || earlier.was === undefined || !isMade(action, earlier.was))
      return null
    putObject(db, 'saved-snippet', earlier.snippetId, earlier.was)
    return { id: earlier.snippetId, rest: null }
  },
  makes: {
    kind: 'saved-snippet',
    onServer: async ({ connection, signal }) =>
      (await connection.call(snippets.getSavedSnippets, {}, { signal })).saved_snippets,
    isMade: (_db, action, one) => isMade(action, one),
    // Both its title and its text can be changed.
    mayBeMade: () => true,
  },
  async send(action, { connection, signal }) {
    const { title, content } = keptSnippet(action)
    const input = { title, content }
    const { saved_snippet_id } = await connection.call(snippets.createSavedSnippet, input, { signal })
    return saved_snippet_id
  },
}
