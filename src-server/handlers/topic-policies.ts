import type { Handlers } from '../../src-shared/api/index.ts'
import { channelByName } from '../channels/channels.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import { maxTopic, normalizeTopic } from '../topics.ts'
import { accessibleChannel } from '../permissions/channels.ts'
import { badRequest } from '../service-error.ts'
import { setTopicPolicy, topicPolicies as policies } from '../channels/topic-policies.ts'
import type { HandlerContext } from './context.ts'

export const topicPolicies: Pick<Handlers<HandlerContext>, 'updateUserTopic' | 'muteTopic'> = {
  updateUserTopic: ({ stream_id, topic, visibility_policy }, context) => {
    accessibleChannel(context.workspace.db, context.user, stream_id)
    change(context, stream_id, topic, visibility_policy)
    return {}
  },

  muteTopic: ({ stream, stream_id, topic, op }, context) => {
    const { workspace, user } = context
    const { db } = workspace
    if (stream !== undefined && stream_id !== undefined)
      throw badRequest("Please choose one: 'stream' or 'stream_id'.")
    const id = stream_id ?? (stream === undefined ? undefined : channelByName(workspace, stream)?.channel_id)
    if (id === undefined)
      throw badRequest(stream === undefined ? "Please supply 'stream'." : 'Invalid channel ID')
    accessibleChannel(db, user, id)
    if (workspace.featureLevel < 169) {
      const isMuted =
        db.get(
          'SELECT 1 FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ? AND policy = ?',
          user.user_id,
          id,
          topicKey(normalizeTopic(db, topic)),
          policies.muted,
        ) !== undefined
      if (isMuted === (op === 'add')) throw badRequest(isMuted ? 'Topic already muted' : 'Topic is not muted')
    }
    change(context, id, topic, op === 'add' ? policies.muted : policies.inherited)
    return {}
  },
}

/** Stores a person's policy for a topic, and tells all their clients. */
function change({ workspace, user }: HandlerContext, channelId: number, topic: string, policy: number): void {
  if ([...topic.trim()].length > maxTopic)
    throw badRequest(`Topic is too long (limit: ${maxTopic} characters)`)
  const name = normalizeTopic(workspace.db, topic)
  setTopicPolicy(workspace, user.user_id, channelId, name, policy)
  workspace.publish([user.user_id], {
    type: 'user_topic',
    stream_id: channelId,
    topic_name: name,
    last_updated: workspace.now(),
    visibility_policy: policy,
  })
}
