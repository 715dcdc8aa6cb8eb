import type { UserId } from '../../src-shared/ids.ts'
import { conversationKey, directConversation } from '../../src-shared/model/conversation.ts'
import { narrowKey } from '../../src-shared/model/narrow.ts'
import type { DirectRefusal } from '../../src-shared/model/permissions.ts'
import type { ReadableDb } from '../store/database.ts'
import { holderOf, ownHolder } from '../store/permissions.ts'
import { rangesOfSeveral } from '../store/ranges.ts'
import type { QueryContext } from './context.ts'
import { mayInOrganization } from './permissions.ts'

/**
 * Why the server would refuse a direct message to these people; null if it would not, or if this device does not know
 * enough to be sure.
 */
export function directRefusal(
  { db, ownUserId }: Pick<QueryContext, 'db' | 'ownUserId'>,
  userIds: readonly UserId[],
): DirectRefusal | null {
  const others = userIds.filter((id) => id !== ownUserId)
  const people = db.all<{ user_id: number; full_name: string; is_active: number; is_bot: number }>(
    `SELECT user_id, full_name, is_active, is_bot FROM users
     WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY folded_name`,
    [JSON.stringify(others)],
  )
  const gone = people.filter(({ is_active }) => is_active === 0)
  if (gone.length > 0) return { kind: 'deactivated', names: gone.map(({ full_name }) => full_name) }
  // Bots can always be asked, and notes to oneself are always possible.
  if (people.length < others.length || people.every(({ is_bot }) => is_bot === 1)) return null
  const own = ownHolder(db, ownUserId)
  // One person who may exchange direct messages is enough for all.
  const isAllowed =
    mayInOrganization(db, own, 'direct_message_permission_group') ||
    people.some(({ user_id }) =>
      mayInOrganization(db, holderOf(db, user_id), 'direct_message_permission_group'),
    )
  if (!isAllowed) return { kind: 'not-allowed' }
  if (mayInOrganization(db, own, 'direct_message_initiator_group')) return null
  return isKnownEmpty(db, others, ownUserId) ? { kind: 'not-begun' } : null
}

/** Whether these people have certainly exchanged no message: their whole history is here, and it is empty. */
function isKnownEmpty(db: ReadableDb, others: readonly UserId[], ownUserId: UserId): boolean {
  const conversation = directConversation(others, ownUserId)
  const begun = db.get('SELECT 1 FROM conversations WHERE key = ? AND newest_message_id > 0', [
    conversationKey(conversation),
  ])
  if (begun !== undefined) return false
  const keys = [narrowKey(conversation), narrowKey({ kind: 'directs' }), narrowKey({ kind: 'combined' })]
  return rangesOfSeveral(db, keys).some(({ reachesBeginning, isLive }) => reachesBeginning && isLive)
}
