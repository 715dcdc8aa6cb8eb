import { refusedHere } from '../../src-shared/failure.ts'
import { linkOfFile } from '../../src-shared/model/outgoing-file.ts'
import { fileGone } from './file-copies.ts'

/** What a text that links to outgoing files is sent as. */
export interface LinkedFiles {
  /** The content with the server's addresses of its files; null until all of them are uploaded. */
  linked(content: string): string | null
  /** The same, but files that are not uploaded keep our address. */
  linkedSoFar(content: string): string
  /**
   * The same, but throws a refusal if one of them was refused (FILE_REFUSED) or is not on this device (NO_SUCH_FILE).
   * Must not be called while `isAwaited`.
   */
  demandLinked(content: string): string
  /** Whether a file of the content is still to be uploaded and none was refused or is missing. */
  isAwaited(content: string): boolean
  /** Whether a file of the content is still to be uploaded, whatever became of the others. */
  isUploading(content: string): boolean
}

interface LinkedFile {
  /** The server's address of it; null until it is uploaded. */
  readonly url: string | null
  /** Why it was refused; null otherwise. */
  readonly reason: string | null
}

/** The ids of the outgoing files that a text links to. */
export const linkedIdsIn = (content: string): string[] =>
  [...content.matchAll(linkOfFile)].map(([, id = '']) => id)

/** Creates it from the files that are here now. */
export function createLinkedFiles(fileOf: (id: string) => LinkedFile | undefined): LinkedFiles {
  const linkedFiles: LinkedFiles = {
    linked(content) {
      const isComplete = linkedIdsIn(content).every((id) => fileOf(id)?.url != null)
      return isComplete ? linkedFiles.linkedSoFar(content) : null
    },
    linkedSoFar: (content) => content.replace(linkOfFile, (link, id: string) => fileOf(id)?.url ?? link),
    demandLinked(content) {
      for (const id of linkedIdsIn(content)) {
        const { reason } = fileOf(id) ?? fileGone()
        if (reason !== null) {
          throw refusedHere('FILE_REFUSED', reason)
        }
      }
      const linked = linkedFiles.linked(content)
      if (linked === null) throw new Error('A message was sent before its files.')
      return linked
    },
    isAwaited(content) {
      // With a refused or missing file the message cannot be sent anyway, so it fails at once instead of waiting.
      const canBeSent = linkedIdsIn(content).every((id) => fileOf(id)?.reason === null)
      return canBeSent && linkedFiles.isUploading(content)
    },
    isUploading(content) {
      const all = linkedIdsIn(content).map((id) => fileOf(id))
      return all.some((file) => file !== undefined && file.url === null && file.reason === null)
    },
  }
  return linkedFiles
}
