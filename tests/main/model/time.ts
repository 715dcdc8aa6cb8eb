/** When a world's time begins, epoch milliseconds. */
export const begin = Date.UTC(2026, 2, 2, 9)

/** A small random number generator: the same seed makes the same history. */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A clock whose waits only the world ends. */
export function createTime() {
  let elapsed = 0
  let signs = 0
  const waits = new Set<{ due: number; end: () => void }>()
  return {
    get elapsed() {
      return elapsed
    },
    /** Changes whenever something happens. */
    get signs() {
      return signs
    },
    stir: () => void signs++,
    wait: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        signs++
        if (signal.aborted || ms <= 0) {
          setImmediate(() => {
            signs++
            resolve()
          })
          return
        }
        const wait = {
          due: elapsed + ms,
          end: () => {
            signs++
            waits.delete(wait)
            signal.removeEventListener('abort', wait.end)
            resolve()
          },
        }
        waits.add(wait)
        signal.addEventListener('abort', wait.end, { once: true })
      }),
    skip: (ms: number) => void (elapsed += ms),
    /** Ends the next wait that is due by then, or moves on to that time; returns whether there was one. */
    step(target: number): boolean {
      let next: { due: number; end: () => void } | null = null
      for (const wait of waits) if (next === null || wait.due < next.due) next = wait
      if (next === null || next.due > target) {
        elapsed = target
        return false
      }
      elapsed = Math.max(elapsed, next.due)
      next.end()
      return true
    },
  }
}
export type Time = ReturnType<typeof createTime>
