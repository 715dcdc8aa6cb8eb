import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { toasts } from './toast.svelte.ts'

/** Mutes a topic in a list, or ends that, and offers to undo it, because the topic may leave the list by it. */
export async function muteTopic(
  bridge: Bridge,
  accountId: string,
  topic: {
    readonly channelId: number
    readonly topic: string
    readonly name: string
    readonly before: TopicVisibility
    readonly now: 'muted' | 'none'
  },
): Promise<void> {
  const set = (visibility: TopicVisibility) =>
    bridge.call('act', {
      accountId,
      action: { name: 'set-topic-visibility', channelId: topic.channelId, topic: topic.topic, visibility },
    })
  try {
    await set(topic.now)
    const words = topic.now === 'muted' ? t.shared.mutedNow(topic.name) : t.shared.unmutedNow(topic.name)
    toasts.show({ words, undo: () => set(topic.before) })
  } catch (error) {
    toasts.failed(error)
  }
}
