import { channels } from '../../../src-shared/api/channels.ts'
import { topicKey } from '../../../src-shared/model/conversation.ts'
import {
  setTopicVisibility as setTopicVisibilityHere,
  topicVisibility,
} from '../../store/topic-visibility.ts'
import type { OfflineAction } from '../offline-action.ts'

const policies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** The lane of the changes of a topic's visibility. */
export const visibilityLane = (channelId: number, topic: string): string =>
  `visibility:${channelId}:${topicKey(topic)}`

/** Mutes, unmutes or follows a topic, or lets it follow its channel (specification, POST /user_topics). */
export const setTopicVisibility: OfflineAction<'set-topic-visibility'> = {
  isRepeatable: true,
  lane: ({ channelId, topic }) => visibilityLane(channelId, topic),
  conversation: () => null,
  isSo: (db, { channelId, topic, visibility }) => topicVisibility(db, channelId, topic) === visibility,
  apply: (db, { channelId, topic, visibility }) => setTopicVisibilityHere(db, channelId, topic, visibility),
  async send({ channelId, topic, visibility }, { connection, signal }) {
    await connection.call(
      channels.updateUserTopic,
      { stream_id: channelId, topic, visibility_policy: policies[visibility] },
      { signal },
    )
    return null
  },
  concerns: () => [],
  join: (_earlier, later) => later,
}
