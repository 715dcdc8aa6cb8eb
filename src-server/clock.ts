/** The time, and waiting; tests bring their own clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after that time, or at once when the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    }),
}
