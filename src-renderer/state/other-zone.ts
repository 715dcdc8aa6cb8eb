const clocks = new Map<string, Intl.DateTimeFormat | null>()

/** What a clock in a zone shows; null where this device does not know the zone. */
function clockIn(zone: string, at: number): string | null {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    try {
      clock = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    } catch {
      clock = null
    }
    clocks.set(zone, clock)
  }
  return clock?.format(at) ?? null
}

/**
 * Whether the clocks of two zones differ at a moment; other names of the same time do not. False where one of them is
 * not known or not named.
 */
export function clocksDiffer(one: string, other: string, at: number): boolean {
  if (one === '' || other === '' || one === other) return false
  const [first, second] = [clockIn(one, at), clockIn(other, at)]
  return first !== null && second !== null && first !== second
}
