import type { ChannelId } from '../ids.ts'
import { isResolved, resolvedTopic, topicKey, topicWithoutMark } from '../topic-names.ts'

interface Place {
  readonly channelId: number
  readonly topic: string
}

/** A topic with messages that wait to be moved. */
export interface TopicMove {
  readonly from: { readonly channelId: ChannelId; readonly topic: string }
  /** The destination of the whole topic; null if only some of its messages move. */
  readonly to: TopicMove['from'] | null
}

/** Whether messages stay in the topic of exactly this spelling: a move may change nothing but the spelling. */
export const isSamePlace = (a: Place, b: Place): boolean => a.channelId === b.channelId && a.topic === b.topic

/** The change among these that moves a whole topic; null if there is none. */
export const moveIn = (moves: readonly TopicMove[], place: Place): TopicMove | null =>
  moves.find(
    ({ from }) => from.channelId === place.channelId && topicKey(from.topic) === topicKey(place.topic),
  ) ?? null

/** Whether a change only marks a topic as resolved, or removes that mark. */
export const changesOnlyMark = ({ from, to }: { readonly from: Place; readonly to: Place }): boolean =>
  !isSamePlace(from, to) && isSamePlace(withoutMark(from), withoutMark(to))

const withoutMark = <P extends Place>(place: P): P => ({ ...place, topic: topicWithoutMark(place.topic) })

/**
 * The destination of two moves of the same messages, if the second was made before the first was sent and so starts
 * from the old place, too. A change of the resolved mark applies to the first move's name; a new name keeps its mark.
 */
export function combinedDestination<P extends Place>(
  earlier: { readonly to: P },
  later: { readonly from: P; readonly to: P },
): P {
  if (isSamePlace(later.from, later.to)) return later.to
  const place = withoutMark(changesOnlyMark(later) ? earlier.to : later.to)
  const marks = isResolved(later.from.topic) === isResolved(later.to.topic) ? earlier.to : later.to
  return { ...place, topic: isResolved(marks.topic) ? resolvedTopic(place.topic) : place.topic }
}
