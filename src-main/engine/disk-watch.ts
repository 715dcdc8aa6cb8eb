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
  readonly changed: (trouble: DiskTrouble | null) => void
}): DiskWatch {
  const { store, clock, signal } = parts
  let trouble: DiskTrouble | null = null
  let isAsking = false

  const become = (next: DiskTrouble | null) => {
    if (next === trouble || signal.aborted) return
    trouble = next
    // Who is told may read, and whoever wrote is to hear of their own write first.
    queueMicrotask(() => {
      if (!signal.aborted) parts.changed(trouble)
    })
  }
  const tryNow = () => {
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
      tryNow()
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
    tryNow,
  }
}

/** What of the disk itself is in the way; a file that is locked or damaged is told of elsewhere. */
function troubleOf(failure: Failure): DiskTrouble | null {
  if (failure.kind !== 'device') return null
  const { code } = failure
  return code === 'disk-full' || code === 'read-only' || code === 'disk-error' ? code : null
}
