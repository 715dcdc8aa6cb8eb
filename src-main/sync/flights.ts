/** What events said while an answer was under way. */
interface Flight {
  /** Messages that an event spoke of: what the answer says of them may be older. */
  readonly touched: ReadonlySet<number>
  /** An event spoke of all messages at once. */
  readonly isOvertaken: boolean
  land(): void
}

/**
 * The answers that are under way, and what events say meanwhile.
 *
 * The generation of a row protects what events did to messages that are here. It cannot protect those that are not:
 * an edit of an unknown message is dropped, and a page that was made before the edit would bring the old text.
 */
export interface Flights {
  begin(): Flight
  /** After the commit of a batch: what its events spoke of. */
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
