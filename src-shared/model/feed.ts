import type { MessageId } from '../ids.ts'
import type { Conversation } from './conversation.ts'
import type { FeedMessage, WaitingMessage } from './message.ts'
import type { TopicMove } from './move.ts'

/** A window of a narrow: consecutive messages around an anchor. */
export interface Feed {
  /** The message the window stands around: first unread, newest, oldest, or the one asked for; null when empty. */
  readonly anchorId: MessageId | null
  /** Whether the anchor is the first unread message. */
  readonly anchorIsUnread: boolean
  /**
   * Where the anchor stood when the reader left, in pixels below the top edge of the feed; null if the window is not
   * built around the reader's last place.
   */
  readonly leftAt: number | null
  readonly messages: readonly FeedMessage[]
  /** Messages of this narrow that are waiting to be sent, in the order of sending. */
  readonly waiting: readonly WaitingMessage[]
  /**
   * What precedes the first message: more here, more on the server, more that the organization's plan does not show, or
   * the beginning.
   */
  readonly before: 'here' | 'on-server' | 'limited' | 'beginning'
  /** What follows the last message: more here, more on the server, or nothing. */
  readonly after: 'here' | 'on-server' | 'end'
  readonly unreadCount: number
  /** The first unread message of the narrow on this device, inside or outside the window. */
  readonly firstUnreadId: MessageId | null
  /** The topics that have messages waiting to be moved. */
  readonly moving: readonly TopicMove[]
  /**
   * Where a topic went. If a message was asked for, the topic that contains it now. If the topic is empty, the topic
   * whose name differs only by the mark of a resolved topic, if that one is not empty.
   */
  readonly movedTo: Conversation | null
  /** The gaps in what this device has: each comes after the message with this id; oldest first. */
  readonly gapsAfter: readonly MessageId[]
}
