import type { Feed } from '../../../src-shared/model/feed.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { narrowKey, type Narrow } from '../../../src-shared/model/narrow.ts'
import { ownMoveOf } from '../../state/reading/own-move.ts'

/** A topic of an account, what its feed shows of it, and the message that a link led to. */
interface ShownTopic {
  readonly accountId: string
  readonly narrow: Narrow
  readonly shown: Feed | null
  readonly linked: MessageId | null
}

/**
 * From and to where a topic went that was renamed while it was open, or after a link to it was made, according to the
 * new answer, and whether the person moved it themselves; null if it is still there. A topic that lost only some
 * messages stays; a link follows its message wherever that is.
 */
export function goalOfMove(
  { accountId, narrow, shown, linked }: ShownTopic,
  { messages, movedTo }: Feed,
): { readonly from: Conversation; readonly goal: Conversation; readonly isOwn: boolean } | null {
  const hadMessages = shown !== null && shown.messages.length > 0
  if (narrow.kind !== 'topic' || !(hadMessages || linked !== null)) return null
  const before = new Set(shown?.messages.map(({ id }) => id))
  if (messages.some(({ id }) => before.has(id))) return null
  const own = ownMoveOf(accountId, narrow)
  const goal = movedTo ?? (hadMessages && messages.length === 0 ? own : null)
  if (goal === null || narrowKey(goal) === narrowKey(narrow)) return null
  return { from: narrow, goal, isOwn: own !== null && narrowKey(own) === narrowKey(goal) }
}
