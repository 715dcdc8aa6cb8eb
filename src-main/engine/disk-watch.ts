import type { Failure } from '../../src-shared/failure.ts'
import type { DiskTrouble } from '../../src-shared/model/account.ts'
import type { Clock } from '../api/clock.ts'
import type { Store } from '../store/database.ts'
import { tryRoom } from '../store/room.ts'

/** How long until a disk that took nothing is asked again, milliseconds. */
const askAgainMs = 5_000

/** Whether the disk takes what is to be kept. */
export interface DiskWatch {
  /** Why it takes nothing; null while it does. */
  readonly trouble: DiskTrouble | null
  /** Of one that is full: how much room it had when that was last asked; null when nobody can tell. */
  readonly freeBytes: number | null
  /** Asks it at once, if it took nothing. Never throws. */
  tryNow(): void
}

/**
 * Notes the first write that the disk refuses, and asks it again from then on until it takes one of the size of what a
 * person writes: a small one that still found a place does not end the trouble. `changed` is called after each change,
 * outside of transactions, until `signal` aborts.
 */
export function watchDisk(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How much room there is; null when the system does not tell. */
  readonly freeBytes: () => number | null
  readonly changed: (trouble: DiskTrouble | null) => void
}): DiskWatch {
  const { store, clock, signal } = parts
  let trouble: DiskTrouble | null = null
  let freeBytes: number | null = null
  let isAsking = false

  const tell = () => {
    freeBytes = trouble === 'disk-full' ? parts.freeBytes() : null
    // Who is told may read, and whoever wrote is to hear of their own write first.
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
      tryRoom(store)
      become(null)
    } catch {
      // The store told of it.
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
      // Whoever asked hears how much room there is by now; nobody is told of it again and again.
      if (trouble !== null && trouble === before && !signal.aborted) tell()
    },
  }
}

/** What of the disk itself is in the way; a file that is locked or damaged is told of elsewhere. */
function troubleOf(failure: Failure): DiskTrouble | null {
  if (failure.kind !== 'device') return null
  const { code } = failure
  return code === 'disk-full' || code === 'read-only' || code === 'disk-error' ? code : null
}
