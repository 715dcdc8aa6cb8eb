import type { ChannelId } from '../ids.ts'
import { isResolved, resolvedTopic, topicKey, topicWithoutMark } from './conversation.ts'

interface Place {
  readonly channelId: number
  readonly topic: string
}

/** A topic of which messages wait to be moved. */
export interface TopicMove {
  readonly from: { readonly channelId: ChannelId; readonly topic: string }
  /** Where the whole topic goes; null where only some of its messages do. */
  readonly to: TopicMove['from'] | null
}

/** Whether messages come from or go to the same topic, letter by letter: a move may change only how it is spelled. */
export const isSamePlace = (a: Place, b: Place): boolean => a.channelId === b.channelId && a.topic === b.topic

/** The change among these that takes a topic elsewhere; null when there is none. */
export const moveIn = (moves: readonly TopicMove[], place: Place): TopicMove | null =>
  moves.find(
    ({ from }) => from.channelId === place.channelId && topicKey(from.topic) === topicKey(place.topic),
  ) ?? null

/** Whether a change only marks a topic as resolved, or takes the mark off. */
export const isMarkAlone = ({ from, to }: { readonly from: Place; readonly to: Place }): boolean =>
  !isSamePlace(from, to) && isSamePlace(withoutMark(from), withoutMark(to))

const withoutMark = <P extends Place>(place: P): P => ({ ...place, topic: topicWithoutMark(place.topic) })

/**
 * Where two changes of the same messages bring them together. They still stand where they were when the second is made,
 * so a change of the mark alone is one of what the first made of the topic, and another name keeps the mark.
 */
export function bothMoves<P extends Place>(
  earlier: { readonly to: P },
  later: { readonly from: P; readonly to: P },
): P {
  if (isSamePlace(later.from, later.to)) return later.to
  const place = withoutMark(isMarkAlone(later) ? earlier.to : later.to)
  const marks = isResolved(later.from.topic) === isResolved(later.to.topic) ? earlier.to : later.to
  return { ...place, topic: isResolved(marks.topic) ? resolvedTopic(place.topic) : place.topic }
}
