/** A message that was opened from a search, and the words found in it. */
export interface Found {
  readonly accountId: string
  readonly messageId: number
  /** As they appear in the message. */
  readonly texts: readonly string[]
}

/** The last message opened from a search; it is highlighted in its conversation too. Not kept across a reload. */
class FoundWords {
  current = $state.raw<Found | null>(null)
}

export const foundWords = new FoundWords()
