import { linkToFile } from '../../src-shared/model/outgoing-file.ts'
import type { Store } from '../store/database.ts'
import { draftsWith, putDraft } from '../store/drafts.ts'

/** The attached files that texts link to. */
export interface LinkedFiles {
  /** The text with the server's addresses of those of its files that are uploaded. */
  linkedSoFar(text: string): string
  /** Whether a file of the text is still to be uploaded, and none was refused or is missing. */
  isAwaited(text: string): boolean
  /** Calls the listener whenever a file changes. */
  onChange(listener: () => void): () => void
}

/** What becomes of drafts when their files are uploaded. */
export interface Uploads {
  /** Puts the server's addresses of files into the drafts, on whatever screen the files were attached. */
  follow(): void
}

/** Calls `wake` when a file is uploaded or refused for which a draft waited at the last `follow`. */
export function createUploads(parts: {
  readonly store: Store
  readonly files: LinkedFiles
  readonly signal: AbortSignal
  wake(): void
}): Uploads {
  const { store, files } = parts
  /** Texts with a link to a file that is not uploaded yet. */
  let awaiting: string[] = []
  // Files report every uploaded part; only a file that is done or refused matters here.
  const stopListening = files.onChange(() => {
    if (awaiting.some((words) => !files.isAwaited(words))) parts.wake()
  })
  parts.signal.addEventListener('abort', () => stopListening())

  return {
    follow() {
      const drafts = draftsWith(store.db, linkToFile(''))
      const linked = drafts.flatMap((draft) => {
        const content = files.linkedSoFar(draft.local.content)
        if (content === draft.local.content) return []
        const state = draft.state === 'synced' ? 'edited' : draft.state
        return { ...draft, state, local: { ...draft.local, content } }
      })
      if (linked.length > 0) store.write((db) => linked.forEach((draft) => putDraft(db, draft)))
      awaiting = drafts.map(({ local }) => local.content).filter((words) => files.isAwaited(words))
    },
  }
}
