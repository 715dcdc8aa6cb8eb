import type { Feed } from '../../../src-shared/bridge/queries.ts'
import { messageId, type MessageId } from '../../../src-shared/ids.ts'

/** The stretch of a narrow that a feed asks for; every one is small enough to be asked again after each change. */
export interface FeedSpan {
  readonly around: MessageId | 'opening' | 'newest'
  /** How many messages before the anchor. */
  readonly before: number
  /** How many from the anchor on. */
  readonly after: number
}

/** How many messages a feed opens with on each side: a screen and a little more. */
const opening = 20
/** By how many a feed grows when its end comes near: few enough to be drawn within a frame. */
const step = 16
/** What the engine answers at most, on each side. */
const most = 400

/** What a feed asks for first. */
export function openingSpan(near: MessageId | null): FeedSpan {
  return { around: near ?? 'opening', before: opening, after: opening }
}

/** The newest messages. */
export const newestSpan: FeedSpan = { around: 'newest', before: opening, after: opening }

/** The oldest messages that are known. */
export const oldestSpan: FeedSpan = { around: messageId(1), before: 0, after: opening + step }

/**
 * The same stretch by the id of a message in it, so that reading does not move it: the first unread message and the
 * newest one become others while one reads, and so does the next after one that is not here.
 */
export function settled(span: FeedSpan, feed: Pick<Feed, 'anchorId' | 'messages'>): FeedSpan {
  const { anchorId, messages } = feed
  if (anchorId === null) return span
  const next = messages.findIndex(({ id }) => id >= anchorId)
  const before = next < 0 ? messages.length - 1 : next
  const around = messages[before]?.id
  if (around === undefined || around === span.around) return span
  // All that is on screen stays in it, with room for what comes.
  return { around, before: Math.max(before, opening), after: messages.length - before + step }
}

/**
 * The same stretch by a message at the reader's eye, when a hole lies between that and the message it is named by: what
 * comes into the hole would push out what is looked at. Null when none does, or the message is not in it.
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

/** The stretch grown at its beginning; what comes after `last` is let go. */
export function grownOlder(messages: Feed['messages'], last: MessageId): FeedSpan {
  const [first] = messages
  if (first === undefined) return newestSpan
  const kept = messages.filter(({ id }) => id <= last).length
  // With nothing to let go, there is room for what comes while one reads.
  const room = kept === messages.length ? step : 0
  return { around: first.id, before: step, after: Math.min(kept + room, most) }
}

/** The stretch grown at its end; what comes before `first` is let go. */
export function grownNewer(messages: Feed['messages'], first: MessageId): FeedSpan {
  const last = messages.at(-1)
  if (last === undefined) return newestSpan
  const kept = messages.filter(({ id }) => id >= first && id < last.id).length
  return { around: last.id, before: Math.min(kept, most), after: step + 1 }
}
