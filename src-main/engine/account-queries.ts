import type { UserId } from '../../src-shared/ids.ts'
import type { FileCheck } from '../../src-shared/model/diagnostics.ts'
import { mergeDraft } from '../drafts/merge.ts'
import type { AccountQueryContext } from '../queries/index.ts'
import type { ReadableDb, Store } from '../store/database.ts'
import { fileHealth } from '../store/file-health.ts'
import type { Platform } from './platform.ts'

/** The parameters that every query of one account has, as of now; reads from the account's file unless said. */
export function accountQueryContext(parts: {
  readonly store: Store
  /** Where the account's file is. */
  readonly path: string
  /** What the check of the file found when it was opened; null if there was none. */
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
