import { snippets } from '../../../src-shared/api/snippets.ts'
import { objectsOf } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** A snippet as the server stores it: without blank edges. */
export const keptSnippet = ({ title, content }: { readonly title: string; readonly content: string }) => ({
  title: title.trim(),
  content: content.trim(),
})

/** Saves a new snippet (specification, POST /saved_snippets). The list shows it at once, as waiting. */
export const saveSnippet: OfflineAction<'save-snippet'> = {
  // Each attempt first asks whether the snippet exists, so a repeat does not create a second one.
  isRepeatable: true,
  lane: () => 'snippets',
  conversation: () => null,
  apply: () => {},
  isHere(db, action) {
    const { title, content } = keptSnippet(action)
    return objectsOf(db, 'saved-snippet').some(
      (known) => known['title'] === title && known['content'] === content,
    )
  },
  async send(action, { connection, signal }) {
    const { title, content } = keptSnippet(action)
    const { saved_snippets } = await connection.call(snippets.getSavedSnippets, {}, { signal })
    if (saved_snippets.some((known) => known.title === title && known.content === content)) return null
    await connection.call(snippets.createSavedSnippet, { title, content }, { signal })
    return null
  },
  concerns: () => [],
}
