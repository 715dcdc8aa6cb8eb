import type { Failure } from '../../src-shared/failure.ts'
import type { DiskTrouble } from '../../src-shared/model/account.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Store } from '../store/database.ts'
import { probeDiskSpace } from '../store/disk-space.ts'

/** How often a disk that fails is tested again, in milliseconds. */
const askAgainMs = 5_000

/** Whether the disk accepts writes. */
export interface DiskWatch {
  /** Why it does not; null if it does. */
  readonly trouble: DiskTrouble | null
  /** For a full disk, the free space at the last test, in bytes; null if unknown. */
  readonly freeBytes: number | null
  /** Tests the disk now if it fails. Never throws. */
  tryNow(): void
}

/**
 * Watches for the first write that fails. From then on it tests the disk until a write of the size of a long message
 * succeeds; a smaller one that still fits does not count. `changed` is called after each change, outside of
 * transactions, until `signal` aborts.
 */
export function watchDisk(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The free space in bytes; null if the system does not report it. */
  readonly freeBytes: () => number | null
  readonly changed: (trouble: DiskTrouble | null) => void
}): DiskWatch {
  const { store, clock, signal } = parts
  let trouble: DiskTrouble | null = null
  let freeBytes: number | null = null
  let isAsking = false

  const tell = () => {
    freeBytes = trouble === 'disk-full' ? parts.freeBytes() : null
    // Deferred, because listeners read the database, and the failed write must be reported to its caller first.
    queueMicrotask(() => {
      if (!signal.aborted) parts.changed(trouble)
    })
  }
  const become = (next: DiskTrouble | null) => {
    if (next === trouble || signal.aborted) return
    trouble = next
    tell()
  }
  const ask = () => {
    if (trouble === null || signal.aborted) return
    try {
      probeDiskSpace(store)
      become(null)
    } catch {
      // The store has already reported it.
    }
  }
  const askAgain = async () => {
    if (isAsking) return
    isAsking = true
    while (trouble !== null && !signal.aborted) {
      await clock.wait(askAgainMs, signal)
      ask()
    }
    isAsking = false
  }
  store.onRefusal((failure) => {
    const next = troubleOf(failure)
    if (next === null) return
    become(next)
    void askAgain()
  })

  return {
    get trouble() {
      return trouble
    },
    get freeBytes() {
      return freeBytes
    },
    tryNow() {
      const before = trouble
      ask()
      // Only the free space changed; listeners are told if a person asked, not at every test.
      if (trouble !== null && trouble === before && !signal.aborted) tell()
    },
  }
}

/** The failure if it concerns the disk itself; null for a locked or damaged file, which is handled elsewhere. */
function troubleOf(failure: Failure): DiskTrouble | null {
  if (failure.kind !== 'device') return null
  const { code } = failure
  return code === 'disk-full' || code === 'read-only' || code === 'disk-error' ? code : null
}
