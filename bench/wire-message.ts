import type { MessageFields } from '../src-main/store/messages.ts'

/** A message of the workload as a server sends it (specification, GET /messages). */
export function wireMessage(message: MessageFields): Readonly<Record<string, unknown>> {
  const { id, conversation, senderId, senderName, sentAt, contentHtml, isRead, isStarred, isMentioned } =
    message
  const isTopic = conversation.kind === 'topic'
  return {
    id,
    type: isTopic ? 'stream' : 'private',
    content: contentHtml,
    content_type: 'text/html',
    timestamp: Math.floor(sentAt / 1_000),
    sender_id: senderId,
    sender_email: `p${senderId}@example.org`,
    sender_full_name: senderName,
    sender_realm_str: 'example',
    avatar_url: null,
    client: 'website',
    display_recipient: isTopic
      ? `channel ${conversation.channelId}`
      : [...conversation.userIds, 1].map((user) => ({
          id: user,
          email: `p${user}@example.org`,
          full_name: `Person ${user}`,
          is_mirror_dummy: false,
        })),
    ...(isTopic ? { stream_id: conversation.channelId } : {}),
    subject: isTopic ? conversation.topic : '',
    recipient_id: 7,
    is_me_message: false,
    flags: [
      ...(isRead ? ['read'] : []),
      ...(isStarred ? ['starred'] : []),
      ...(isMentioned ? ['mentioned'] : []),
    ],
    reactions: message.reactions.map(({ type, code, name, userId }) => ({
      emoji_code: code,
      emoji_name: name,
      reaction_type: type,
      user_id: userId,
    })),
    submessages: [],
    topic_links: [],
  }
}
