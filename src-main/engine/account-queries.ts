import type { UserId } from '../../src-shared/ids.ts'
import type { FileCheck } from '../../src-shared/model/diagnostics.ts'
import { mergeDraft } from '../drafts/merge.ts'
import type { AccountQueryContext } from '../queries/index.ts'
import type { ReadableDb, Store } from '../store/database.ts'
import { fileHealth } from '../store/file-health.ts'
import type { Platform } from './platform.ts'

/** Returns a function that builds the context of the account's queries anew for each of them. */
export function accountQueryContext(parts: {
  readonly store: Store
  /** Path of the account's file. */
  readonly path: string
  /** The result of the check when the file was opened; null if there was no check. */
  readonly fileCheck: FileCheck | null
  readonly ownUserId: UserId
  readonly platform: Platform
}): (db?: ReadableDb) => AccountQueryContext {
  const { store, path, fileCheck, ownUserId, platform } = parts
  return (db = store.db) => ({
    db,
    ownUserId,
    now: platform.now(),
    fileHealth: () => ({ ...fileHealth(path), check: fileCheck }),
    piecesOf: (draft) => {
      const merged = mergeDraft(draft.base, draft.local, draft.remote ?? draft.local)
      return {
        pieces: merged.pieces,
        recipientDiffers: merged.kind === 'conflict' && merged.recipientDiffers,
      }
    },
  })
}
