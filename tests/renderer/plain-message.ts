import { channelId, messageId, userId } from '../../src-shared/ids.ts'
import type { FeedMessage } from '../../src-shared/model/message.ts'

/** A message of which nothing is special. */
export const plainMessage: FeedMessage = {
  id: messageId(1),
  conversation: { kind: 'topic', channelId: channelId(1), topic: 'drift' },
  recipient: {
    kind: 'topic',
    channelId: channelId(1),
    channelName: 'gauges',
    channelColor: 'tide',
    channelPrivacy: 'public',
    topic: 'drift',
    isEmptyTopic: false,
    visibility: 'none',
    channelIsMuted: false,
  },
  senderId: userId(2),
  senderName: 'Keiko',
  senderAvatarUrl: null,
  senderIsBot: false,
  senderIsGuest: false,
  senderStatus: null,
  sentAt: Date.UTC(2026, 4, 12, 9, 0),
  editedAt: null,
  movedAt: null,
  contentHtml: '<p>x</p>',
  isUnread: false,
  isStarred: false,
  isMentioned: false,
  isMeMessage: false,
  isCollapsed: false,
  senderIsMuted: false,
  reactions: [],
  widget: null,
  waitingEdit: null,
}
