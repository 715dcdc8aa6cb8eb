/** The name that topics without a name had before empty topics were possible. */
export const formerEmptyTopic = '(no topic)'

/** A typed topic without blank edges, and empty if it is the name under which topics without a name are shown. */
export function typedTopic(typed: string, emptyTopicName: string | null): string {
  const topic = typed.trim()
  return topic === formerEmptyTopic || topic === emptyTopicName ? '' : topic
}

/** The form in which two spellings of one topic are equal. */
export const topicKey = (topic: string): string => topic.normalize('NFC').toLowerCase()

/** The mark of a resolved topic, with which its name begins. */
export const resolvedPrefix = '✔ '

/** The topic's name with the mark of a resolved topic. */
export const resolvedTopic = (topic: string): string =>
  isResolved(topic) ? topic : `${resolvedPrefix}${topic}`
/** Whether the topic is resolved; the mark is part of its name. */
export const isResolved = (topic: string): boolean => topic.startsWith(resolvedPrefix)
/** The topic's name without the mark of a resolved topic. */
export const topicWithoutMark = (topic: string): string =>
  isResolved(topic) ? topic.slice(resolvedPrefix.length) : topic
/** Whether two names of topics differ only in the mark of a resolved topic. */
export const isSameButMark = (one: string, other: string): boolean =>
  isResolved(one) !== isResolved(other) && topicWithoutMark(one) === topicWithoutMark(other)
