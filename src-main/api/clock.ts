/** Time and randomness, so that tests control both. The platform implements it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after `ms` milliseconds, or at once if `signal` aborts; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 (included) to 1 (excluded). */
  random(): number
}
