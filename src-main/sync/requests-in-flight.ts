/** What events mentioned while an answer was under way. */
interface RequestInFlight {
  /** Messages that an event mentioned: the answer's copies of them may be older. */
  readonly touched: ReadonlySet<number>
  /** Those of them that were deleted, or moved to another place. */
  readonly displaced: ReadonlySet<number>
  /** Whether an event concerned all messages at once. */
  readonly isOvertaken: boolean
  end(): void
}

/**
 * The requests whose answers are under way, and what events mention meanwhile.
 *
 * The generation of a row protects the effects of events on messages that are here. It cannot protect messages that are
 * not here: an edit of an unknown message is dropped, and a page from before the edit would bring the old text.
 */
export interface RequestsInFlight {
  begin(): RequestInFlight
  /** Must be called after the commit of a batch, with the messages that its events mentioned, and that they displaced. */
  touch(messageIds: Iterable<number>, displaced?: Iterable<number>): void
  overtakeAll(): void
}

/** Creates the list for one account, with no request under way. */
export function createRequestsInFlight(): RequestsInFlight {
  const open = new Set<{ touched: Set<number>; displaced: Set<number>; isOvertaken: boolean }>()
  return {
    begin() {
      const request = {
        touched: new Set<number>(),
        displaced: new Set<number>(),
        isOvertaken: false,
        end: () => void open.delete(request),
      }
      open.add(request)
      return request
    },
    touch(messageIds, displaced = []) {
      for (const request of open) {
        for (const id of messageIds) request.touched.add(id)
        for (const id of displaced) request.displaced.add(id)
      }
    },
    overtakeAll() {
      for (const request of open) request.isOvertaken = true
    },
  }
}
