import { addressOf, type Route } from '../../state/navigation/route.svelte.ts'
import type { FeedActs } from './feed-acts.svelte.ts'

/** What a feed leaves to the feed of the place that its topic moved to. */
interface PassedOn {
  /** The row that had the focus; null if none had. */
  readonly row: string | null
  /** What was being done there; its edit belongs to that row. */
  readonly acts: FeedActs
  /** Whether the topic moved with all its messages. */
  readonly isWhole: boolean
}

let last: { readonly address: string; readonly left: PassedOn } | null = null

/** Leaves this to the next feed, if it is the feed of the place. */
export function passOn(place: Route, left: PassedOn): void {
  last = { address: addressOf(place), left }
}

/** What the last feed left to the feed of a place; null for nothing. Afterwards there is nothing any more. */
export function takeOver(place: Route): PassedOn | null {
  const own = last?.address === addressOf(place) ? last.left : null
  last = null
  return own
}
