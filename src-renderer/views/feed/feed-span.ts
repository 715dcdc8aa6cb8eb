import type { Feed } from '../../../src-shared/model/feed.ts'
import type { MessageId } from '../../../src-shared/ids.ts'

/** The stretch of a narrow that a feed requests; it is always small enough to be queried again after each change. */
export interface FeedSpan {
  readonly around: MessageId | 'opening' | 'newest' | 'oldest'
  /** How many messages before the anchor. */
  readonly before: number
  /** How many messages from the anchor on. */
  readonly after: number
}

/** How many messages a feed opens with on each side: a screen and a little more. */
const opening = 20
/** How many messages a feed adds when its end comes near; they are drawn a few in each frame. */
const step = 24
/** The most messages that the engine returns on each side. */
const most = 400

/** The stretch that a feed requests first. */
export function openingSpan(near: MessageId | null): FeedSpan {
  return { around: near ?? 'opening', before: opening, after: opening }
}

/** The newest messages. */
export const newestSpan: FeedSpan = { around: 'newest', before: opening, after: opening }

/** The oldest known messages. */
export const oldestSpan: FeedSpan = { around: 'oldest', before: 0, after: opening + step }

/**
 * The same stretch, identified by a message id, so that reading does not move it. While a person reads, another message
 * becomes the first unread or the newest one, and another is next after one that is missing here.
 */
export function settled(span: FeedSpan, feed: Pick<Feed, 'anchorId' | 'messages'>): FeedSpan {
  const { anchorId, messages } = feed
  if (anchorId === null) return span
  const next = messages.findIndex(({ id }) => id >= anchorId)
  const before = next < 0 ? messages.length - 1 : next
  const around = messages[before]?.id
  if (around === undefined || around === span.around) return span
  // Everything on screen stays in the stretch, with room for new messages.
  return { around, before: Math.max(before, opening), after: messages.length - before + step }
}

/**
 * The same stretch, anchored at the message that the reader is looking at. It is needed if a hole lies between that
 * message and the anchor, because messages that fill the hole would push it out. Null if there is no such hole, or if
 * the message is not in the stretch.
 */
export function acrossHole(
  span: FeedSpan,
  { messages, gapsAfter }: Pick<Feed, 'messages' | 'gapsAfter'>,
  seen: MessageId,
): FeedSpan | null {
  const { around } = span
  const before = messages.findIndex(({ id }) => id === seen)
  if (typeof around !== 'number' || before < 0) return null
  const [older, newer] = around < seen ? [around, seen] : [seen, around]
  if (!gapsAfter.some((id) => older <= id && id < newer)) return null
  return { around: seen, before: Math.min(before, most), after: Math.min(messages.length - before, most) }
}

/** The stretch extended at its beginning and cut after `last`. */
export function grownOlder(messages: Feed['messages'], last: MessageId): FeedSpan {
  const [first] = messages
  if (first === undefined) return newestSpan
  const kept = messages.filter(({ id }) => id <= last).length
  // If nothing is cut, there is room for messages that arrive meanwhile.
  const room = kept === messages.length ? step : 0
  return { around: first.id, before: step, after: Math.min(kept + room, most) }
}

/** The stretch extended at its end and cut before `first`. */
export function grownNewer(messages: Feed['messages'], first: MessageId): FeedSpan {
  const last = messages.at(-1)
  if (last === undefined) return newestSpan
  const kept = messages.filter(({ id }) => id >= first && id < last.id).length
  return { around: last.id, before: Math.min(kept, most), after: step + 1 }
}
