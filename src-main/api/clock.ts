/** Time and chance, so that tests own both. The platform implements it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 (included) to 1 (excluded). */
  random(): number
}
