import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { RecipientLabel, TopicVisibility } from '../../../src-shared/model/message.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { toasts } from '../toast.svelte.ts'

type TopicLabel = Extract<RecipientLabel, { kind: 'topic' }>
type Topic = Pick<TopicLabel, 'visibility' | 'channelIsMuted'>

/** Whether a topic is muted, by itself or by its channel. */
export const isMuted = ({ visibility, channelIsMuted }: Topic): boolean =>
  visibility === 'muted' || (channelIsMuted && visibility === 'none')

/** The choice that mutes a topic, or that ends it: in a muted channel, only "unmuted" does. */
const toggledMute = (topic: Topic): TopicVisibility =>
  isMuted(topic) ? (topic.channelIsMuted ? 'unmuted' : 'none') : topic.channelIsMuted ? 'none' : 'muted'

/** The choices for a topic; "unmuted" has an effect only in a muted channel. */
export const topicChoices = ({ visibility, channelIsMuted }: Topic): TopicVisibility[] =>
  (['followed', 'none', 'unmuted', 'muted'] as const).filter(
    (one) => one !== 'unmuted' || channelIsMuted || visibility === 'unmuted',
  )

/** Mutes a topic, or ends that, as `muteTopic` does. */
export const toggleMute = (
  bridge: Bridge,
  accountId: string,
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  label: TopicLabel,
): Promise<void> =>
  muteTopic(bridge, accountId, {
    channelId,
    topic,
    name: label.topic,
    before: label.visibility,
    now: toggledMute(label),
    mutes: !isMuted(label),
  })

/**
 * Mutes a topic, or ends that, says so, and offers to undo it: the topic may leave a list by it, and a key may have been
 * pressed by mistake.
 */
export async function muteTopic(
  bridge: Bridge,
  accountId: string,
  topic: {
    readonly channelId: number
    readonly topic: string
    readonly name: string
    readonly before: TopicVisibility
    readonly now: TopicVisibility
    readonly mutes: boolean
  },
): Promise<void> {
  const set = (visibility: TopicVisibility) =>
    bridge.call('act', {
      accountId,
      action: { name: 'set-topic-visibility', channelId: topic.channelId, topic: topic.topic, visibility },
    })
  try {
    const { localId } = await set(topic.now)
    const words = topic.mutes ? t.shared.mutedNow(topic.name) : t.shared.unmutedNow(topic.name)
    toasts.show({ words, undo: () => set(topic.before), change: { accountId, localId } })
  } catch (error) {
    toasts.failed(error)
  }
}
