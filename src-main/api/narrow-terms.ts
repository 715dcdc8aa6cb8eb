import type { ApiNarrowTerm } from '../../src-shared/api/messages.ts'
import type { UserId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'

/** A narrow in the server's terms, which find exactly its messages (specification, GET /messages). */
export function narrowTerms(narrow: Narrow, ownUserId: UserId): ApiNarrowTerm[] {
  switch (narrow.kind) {
    case 'topic':
      return [
        { operator: 'channel', operand: narrow.channelId },
        { operator: 'topic', operand: narrow.topic },
      ]
    case 'direct':
      return [{ operator: 'dm', operand: narrow.userIds.length > 0 ? [...narrow.userIds] : [ownUserId] }]
    case 'channel':
      return [{ operator: 'channel', operand: narrow.channelId }]
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }]
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }]
    case 'reactions':
      return [
        { operator: 'has', operand: 'reaction' },
        { operator: 'sender', operand: narrow.userId },
      ]
    case 'directs':
      return [{ operator: 'is', operand: 'dm' }]
    case 'combined':
      return []
  }
}
