import { failureOf } from '../../src-shared/failure.ts'
import type { Connection } from '../api/connection.ts'
import type { Store } from '../store/database.ts'
import { freeBytes } from '../store/file-health.ts'
import type { Sync } from '../sync/sync.ts'
import type { Written } from './account-writing.ts'
import { watchDisk, type DiskWatch } from './disk-watch.ts'
import type { Platform } from './platform.ts'

/** What waking needs from the other parts of its account. */
export interface WakingParts {
  readonly store: Store
  readonly connection: Connection
  readonly platform: Platform
  readonly sync: Sync
  readonly written: Written
  readonly signal: AbortSignal
  /** Path of the account's file. */
  readonly path: string
  log(line: string): void
  /** Called after each change of `disk`; may throw. */
  diskChanged(): void
}

/** Ends the waits for a next attempt when it may succeed: the machine woke up, or the disk takes writes again. */
export interface Waking {
  readonly disk: DiskWatch
  /** Tests the disk if it fails, and ends every wait. Throws if the disk refuses a write. */
  tryNow(): void
  /** Ends every wait. Never throws. */
  wakeIfPossible(): void
  /** The machine's waking is not followed any more. */
  stop(): void
}

/** Starts at once; the disk is watched until `signal` aborts. */
export function createWaking(parts: WakingParts): Waking {
  const { store, connection, platform, sync, written, signal, log } = parts
  const wake = () => {
    // First, because the poll and whatever is retried must not use a connection that died during sleep.
    connection.renew()
    sync.wake()
    written.outbox.wake()
    written.files.wake()
    written.drafts.wake()
  }
  const wakeIfPossible = () => {
    try {
      wake()
    } catch (error) {
      // The disk may refuse to be written. Then each part retries after its own wait, and the caller gets no error.
      log(`waking: ${failureOf(error).message}`)
    }
  }
  const disk = watchDisk({
    store,
    clock: platform,
    signal,
    freeBytes: () => freeBytes(parts.path),
    changed(trouble) {
      log(trouble === null ? 'disk: it takes writes again' : `disk: it takes no writes: ${trouble}`)
      // Writes that failed can be retried now.
      if (trouble === null) wakeIfPossible()
      try {
        parts.diskChanged()
      } catch (error) {
        // The disk cannot be read either; the next change is reported.
        log(`disk: ${failureOf(error).message}`)
      }
    },
  })
  return {
    disk,
    tryNow() {
      disk.tryNow()
      wake()
    },
    wakeIfPossible,
    stop: platform.onWake(wakeIfPossible),
  }
}
