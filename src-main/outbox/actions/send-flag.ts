import { flags } from '../../../src-shared/api/flags.ts'
import { messages } from '../../../src-shared/api/messages.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import { readCursor } from '../../store/cursor.ts'
import type { SendContext } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

/** How many messages one lookup names. */
const mostPerQuestion = 200

/**
 * Adds or removes a flag. The server refuses the whole request if one of the messages was deleted. Then this asks which
 * of them exist or, on servers that cannot return several messages by id, halves the list until the deleted ones are
 * left out. `saveProgress` receives the ids that are left, so that an interrupted change continues there. What the server
 * does not mark as unread, because the person is not in the channel, is fetched again.
 */
export async function sendFlag(
  ids: readonly MessageId[],
  op: 'add' | 'remove',
  flag: 'read' | 'starred' | 'collapsed',
  context: SendContext,
  saveProgress: (rest: readonly MessageId[]) => void,
): Promise<void> {
  const { connection, signal, db } = context
  const mayAskForMany = isAble(readCursor(db).featureLevel, 'messagesById')
  const parts = [ids]
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const [first, ...others] = part
    if (first === undefined) continue
    try {
      const { ignored_because_not_subscribed_channels: ignored } = await connection.call(
        flags.updateMessageFlags,
        { messages: [...part], op, flag },
        { signal },
      )
      if (ignored.length > 0) context.refetchWhenDone()
    } catch (error) {
      if (failureOf(error).kind !== 'rejected') throw error
      if (mayAskForMany) {
        const there = await stillThere(part, context)
        // All exist, so it was refused for another reason.
        if (there.length === part.length) throw error
        parts.unshift(there)
      } else if (others.length > 0) {
        const half = Math.ceil(part.length / 2)
        parts.unshift(part.slice(0, half), part.slice(half))
        continue
      } else if ((await sourceOf(first, context)) !== null) throw error
    }
    const rest = parts.flat()
    if (rest.length > 0) saveProgress(rest)
  }
}

/** A change of a flag. */
interface FlagChange {
  readonly messageIds: readonly MessageId[]
  readonly on: boolean
}

/** Joins two changes of a flag (see `OfflineAction.join`) if both concern the same single message. */
export function joinFlags<F extends FlagChange>(earlier: F, later: F): F | null | undefined {
  const isSame = [earlier, later].every(
    ({ messageIds: [first, ...more] }) => more.length === 0 && first === earlier.messageIds[0],
  )
  if (!isSame) return undefined
  return earlier.on === later.on ? later : null
}

/** Whether two changes of a flag have no message in common, so that one may overtake the other. */
export const areDisjoint = (one: FlagChange, other: FlagChange): boolean =>
  !other.messageIds.some((id) => one.messageIds.includes(id))

/** The messages among these that exist on the server and that the person can see. */
async function stillThere(
  ids: readonly MessageId[],
  { connection, signal }: SendContext,
): Promise<readonly MessageId[]> {
  const there = new Set<number>()
  for (let from = 0; from < ids.length; from += mostPerQuestion) {
    const answer = await connection.call(
      messages.getMessages,
      {
        message_ids: ids.slice(from, from + mostPerQuestion),
        apply_markdown: false,
        client_gravatar: true,
        allow_empty_topic_name: true,
      },
      { signal },
    )
    for (const raw of answer.messages) there.add(idOf(raw))
  }
  return ids.filter((id) => there.has(id))
}

/** The id of an unparsed message; 0 if it has none. */
export const idOf = (raw: unknown): number =>
  typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'number' ? raw.id : 0
