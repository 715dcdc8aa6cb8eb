import { snippets } from '../../../src-shared/api/snippets.ts'
import { objectsOf } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** A snippet as the server keeps it: without blank edges. */
export const keptSnippet = ({ title, content }: { readonly title: string; readonly content: string }) => ({
  title: title.trim(),
  content: content.trim(),
})

/**
 * A text to insert into messages (specification, POST /saved_snippets). The list shows it from the start, as one that
 * waits.
 */
export const saveSnippet: OfflineAction<'save-snippet'> = {
  // Repeating looks first, so that an answer that was lost makes no second one.
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
