import type { ChannelId } from '../ids.ts'
import { isResolved, resolvedTopic, topicWithoutMark } from './conversation.ts'

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
  const isMarkAlone = isSamePlace(withoutMark(later.from), withoutMark(later.to))
  const place = withoutMark(isMarkAlone ? earlier.to : later.to)
  const marks = isResolved(later.from.topic) === isResolved(later.to.topic) ? earlier.to : later.to
  return { ...place, topic: isResolved(marks.topic) ? resolvedTopic(place.topic) : place.topic }
}
