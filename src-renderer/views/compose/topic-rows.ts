import { topicKey, typedTopic } from '../../../src-shared/topic-names.ts'
import type { Completion } from './completion-text.ts'

/**
 * The rows of a topic field: first the topic that is typed, which may be new or the one without a name, then the other
 * suggestions. Where a topic is required, typing the name of the one without a name offers nothing.
 */
export function topicRows(
  suggested: readonly Completion[],
  typed: string,
  { emptyTopicName, isRequired }: { readonly emptyTopicName: string | null; readonly isRequired: boolean },
): readonly Completion[] {
  const list = suggested.filter((one) => !isRequired || one.kind !== 'topic' || one.topic !== '')
  const topic = typedTopic(typed, emptyTopicName)
  if (topic === '') {
    if (typed.trim() === '') return list
    if (isRequired) return []
    const displayName = emptyTopicName ?? typed.trim()
    const others = list.filter((one) => one.kind !== 'topic' || one.topic !== '')
    return [{ kind: 'topic', topic, displayName, isEmptyTopic: true, isResolved: false }, ...others]
  }
  const isKnown = list.some((one) => one.kind === 'topic' && topicKey(one.topic) === topicKey(topic))
  return isKnown ? list : [{ kind: 'new-topic', topic }, ...list]
}
