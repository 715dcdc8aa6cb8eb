import { flags } from '../../../src-shared/api/flags.ts'
import { messages } from '../../../src-shared/api/messages.ts'
import { messageId, type UserId } from '../../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../../src-shared/model/narrow.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import { narrowTerms } from '../../api/narrow-terms.ts'
import { hasUnreadIn, markReadIn, newestUnreadIn } from '../../store/unread.ts'
import type { OfflineAction } from '../offline-action.ts'
import { idOf } from './send-flag.ts'

/** How many messages one request names. */
const mostPerRequest = 1_000

/** The server's terms for what is marked: the combined narrow is without what is muted, as its feed and the inbox are. */
const markedTerms = (narrow: Narrow, ownUserId: UserId) =>
  narrow.kind === 'combined' ? [{ operator: 'in', operand: 'home' }] : narrowTerms(narrow, ownUserId)

/**
 * Marks all messages of a narrow as read, up to the newest message that this device knew (specification, POST
 * /messages/flags).
 */
export const markNarrowRead: OfflineAction<'mark-narrow-read'> = {
  isRepeatable: true,
  lane: () => 'read',
  conversation: ({ narrow }) =>
    narrow.kind === 'topic' || narrow.kind === 'direct' ? conversationKey(narrow) : null,
  prerequisite(db, { narrow, upTo }) {
    // Messages known here are named by id, so that they are marked even if they are moved before the request.
    const messageIds = newestUnreadIn(db, narrow, upTo, mostPerRequest).map(messageId)
    return messageIds.length === 0 ? null : { name: 'mark-read', messageIds }
  },
  isApplied: (db, { narrow, upTo }) => !hasUnreadIn(db, narrow, upTo),
  apply: (db, { narrow, upTo }) => markReadIn(db, narrow, upTo),
  async send({ narrow, upTo }, { connection, signal, ownUserId }) {
    // The cache already shows them as read, so the server is asked page by page which are unread there.
    for (let anchor: number | 'oldest' = 'oldest'; ;) {
      const page: { messages: unknown[]; found_newest: boolean } = await connection.call(
        messages.getMessages,
        {
          anchor,
          include_anchor: anchor === 'oldest',
          num_before: 0,
          num_after: mostPerRequest,
          narrow: [...markedTerms(narrow, ownUserId), { operator: 'is', operand: 'unread' }],
          apply_markdown: false,
        },
        { signal },
      )
      const ids = page.messages.map(idOf).filter((id) => id > 0 && id <= upTo)
      if (ids.length === 0) return null
      await connection.call(flags.updateMessageFlags, { messages: ids, op: 'add', flag: 'read' }, { signal })
      const last = Math.max(...ids)
      // A server that answers with the same messages again and again has no others.
      if (page.found_newest || (anchor !== 'oldest' && last <= anchor)) return null
      anchor = last
    }
  },
  // The server does not know the channel any more, or one of the people: nothing is left to mark.
  isAlreadyDone: (_action, code) => code === 'BAD_NARROW',
  join: (earlier, later) =>
    narrowKey(earlier.narrow) === narrowKey(later.narrow)
      ? { ...later, upTo: messageId(Math.max(earlier.upTo, later.upTo)) }
      : undefined,
}
