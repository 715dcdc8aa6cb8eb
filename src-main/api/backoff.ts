const stepsMs = [2_000, 5_000, 15_000, 30_000, 60_000] as const
const longestMs = 60_000

/**
 * How long to wait before trying again, by how often it was tried: 2, 5, 15, 30, 60 s, then every 60 s, with up to
 * a fifth of jitter so that devices that lost a server together do not come back together.
 */
export function retryDelayMs(attempts: number, random: () => number): number {
  const step = stepsMs[Math.max(0, attempts - 1)] ?? longestMs
  return Math.round(step * (0.9 + 0.2 * random()))
}
