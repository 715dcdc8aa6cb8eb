import type { FileNotice, SyncState } from '../../src-shared/model/account.ts'
import { syncStateOf, type Link } from '../queries/sync-state.ts'
import type { Store } from '../store/database.ts'
import type { DiskWatch } from './disk-watch.ts'

/** What windows see of the way to the server, of the disk and of what became of the account's file. */
export interface SyncStates {
  /** Calls `update` with the state now and whenever it is another; returns what stops it. */
  watch(update: (json: string) => void): () => void
  /** The link or the disk may be another; what the tables say is heard by itself. Throws if the file cannot be read. */
  tell(): void
  /** The person has read what became of the file. */
  dismissFileNotice(): void
}

export function createSyncStates(parts: {
  readonly store: Store
  /** What became of the file when it was opened. */
  readonly fileNotice: FileNotice | null
  link(): Link
  disk(): Pick<DiskWatch, 'trouble' | 'freeBytes'>
}): SyncStates {
  const { store } = parts
  const listeners = new Set<() => void>()
  let { fileNotice } = parts

  const tell = () => {
    for (const listener of listeners) listener()
  }

  return {
    tell,
    watch(update) {
      let last = ''
      const send = () => {
        const { trouble, freeBytes } = parts.disk()
        const state: SyncState = {
          ...syncStateOf(store.db, parts.link()),
          fileNotice,
          diskTrouble: trouble,
          diskFreeBytes: freeBytes,
        }
        const json = JSON.stringify(state)
        if (json === last) return
        last = json
        update(json)
      }
      send()
      listeners.add(send)
      const stop = store.onChange(['outbox', 'drafts', 'sync'], send)
      return () => {
        listeners.delete(send)
        stop()
      }
    },
    dismissFileNotice() {
      fileNotice = null
      tell()
    },
  }
}
