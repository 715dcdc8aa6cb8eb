/** What events mentioned while an answer was under way. */
interface Flight {
  /** Messages that an event mentioned: the answer's copies of them may be older. */
  readonly touched: ReadonlySet<number>
  /** Whether an event concerned all messages at once. */
  readonly isOvertaken: boolean
  land(): void
}

/**
 * The requests whose answers are under way, and what events mention meanwhile.
 *
 * The generation of a row protects the effects of events on messages that are here. It cannot protect messages that are
 * not here: an edit of an unknown message is dropped, and a page from before the edit would bring the old text.
 */
export interface Flights {
  begin(): Flight
  /** Must be called after the commit of a batch, with the messages that its events mentioned. */
  touch(messageIds: Iterable<number>): void
  overtakeAll(): void
}

export function createFlights(): Flights {
  const open = new Set<{ touched: Set<number>; isOvertaken: boolean }>()
  return {
    begin() {
      const flight = { touched: new Set<number>(), isOvertaken: false, land: () => void open.delete(flight) }
      open.add(flight)
      return flight
    },
    touch(messageIds) {
      for (const flight of open) for (const id of messageIds) flight.touched.add(id)
    },
    overtakeAll() {
      for (const flight of open) flight.isOvertaken = true
    },
  }
}
