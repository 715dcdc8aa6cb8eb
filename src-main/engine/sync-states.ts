import type { FileNotice, SyncState } from '../../src-shared/model/account.ts'
import { syncStateOf, type Link } from '../queries/sync-state.ts'
import type { Store } from '../store/database.ts'
import type { DiskWatch } from './disk-watch.ts'

/** The state that windows show of the connection, the disk and the account's file. */
export interface SyncStates {
  /** Calls `update` with the state now and after every change; returns a function that stops. */
  watch(update: (json: string) => void): () => void
  /** Must be called after changes of the link or disk; changes of the tables are noticed. Throws if the disk fails. */
  tell(): void
  /** The person has read the notice about the file. */
  dismissFileNotice(): void
}

/** Creates the states of one account; `link` and `disk` are asked whenever a state is told. */
export function createSyncStates(parts: {
  readonly store: Store
  /** What the person must know about the file; null if nothing. */
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
