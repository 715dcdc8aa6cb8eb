import { linkToFile } from '../../src-shared/model/outgoing-file.ts'
import type { Store } from '../store/database.ts'
import { draftsWith, putDraft } from '../store/drafts.ts'

/** The attached files that texts link to. */
export interface LinkedFiles {
  /** The text with the server's addresses of those of its files that are uploaded. */
  linkedSoFar(text: string): string
  /** Whether a file of the text is still to be uploaded, whatever became of the others. */
  isUploading(text: string): boolean
  /** Calls the listener whenever `isUploading` may have become false for some text; returns how to stop. */
  onSettled(listener: () => void): () => void
}

/** Puts the server's addresses of uploaded files into the drafts, on whatever screen the files were attached. */
export function followUploads(store: Store, files: Pick<LinkedFiles, 'linkedSoFar'>): void {
  const linked = draftsWith(store.db, linkToFile('')).flatMap((draft) => {
    const content = files.linkedSoFar(draft.local.content)
    if (content === draft.local.content) return []
    const state = draft.state === 'synced' ? 'edited' : draft.state
    return { ...draft, state, local: { ...draft.local, content } }
  })
  if (linked.length > 0) store.write((db) => linked.forEach((draft) => putDraft(db, draft)))
}
