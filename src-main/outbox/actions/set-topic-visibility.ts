import { channels } from '../../../src-shared/api/channels.ts'
import { topicKey } from '../../../src-shared/topic-names.ts'
import { topicPolicies } from '../../../src-shared/model/message.ts'
import {
  setTopicVisibility as setTopicVisibilityHere,
  topicVisibility,
} from '../../store/topic-visibility.ts'
import type { OfflineAction } from '../offline-action.ts'

/** The lane of the changes of a topic's visibility. */
export const visibilityLane = (channelId: number, topic: string): string =>
  `visibility:${channelId}:${topicKey(topic)}`

/** Mutes, unmutes or follows a topic, or lets it follow its channel (specification, POST /user_topics). */
export const setTopicVisibility: OfflineAction<'set-topic-visibility'> = {
  isRepeatable: true,
  lane: ({ channelId, topic }) => visibilityLane(channelId, topic),
  isApplied: (db, { channelId, topic, visibility }) => topicVisibility(db, channelId, topic) === visibility,
  apply: (db, { channelId, topic, visibility }) => setTopicVisibilityHere(db, channelId, topic, visibility),
  async send({ channelId, topic, visibility }, { connection, signal }) {
    await connection.call(
      channels.updateUserTopic,
      { stream_id: channelId, topic, visibility_policy: topicPolicies[visibility] },
      { signal },
    )
    return null
  },
  join: (_earlier, later) => later,
}
