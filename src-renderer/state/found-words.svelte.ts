/** A message that was opened from a search, and what was found in it. */
export interface Found {
  readonly accountId: string
  readonly messageId: number
  /** As the message has them. */
  readonly texts: readonly string[]
}

/** What was opened last from a search, so that it is marked in its conversation too. It is not kept over a reload. */
class FoundWords {
  current = $state.raw<Found | null>(null)
}

export const foundWords = new FoundWords()
