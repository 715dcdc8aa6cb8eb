import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { InboxRow } from '../../../src-shared/model/conversation-lists.ts'
import { messageId, type MessageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { once } from '../data/once.ts'
import { toasts } from '../toast.svelte.ts'

/** How many messages one change covers. */
const atOnce = 5_000

/** Marks a whole conversation as read, and offers to undo it. */
export function markConversationRead(bridge: Bridge, accountId: string, row: InboxRow): Promise<void> {
  const { conversation: narrow, newestMessageId: upTo, label } = row
  const name = label.kind === 'topic' ? label.topic : label.names.join(', ')
  return markRead(bridge, accountId, { narrow, upTo, words: t.shared.markedRead(name) })
}

/**
 * Marks everything in a narrow as read that this device currently knows as unread, and names the place in the toast.
 */
export const markPlaceRead = (
  bridge: Bridge,
  accountId: string,
  { narrow, name }: { readonly narrow: Narrow; readonly name: string },
): Promise<void> => markAll(bridge, accountId, { narrow, words: t.shared.markedRead(name) })

/**
 * Marks everything in a narrow as read that this device knows as unread now. Shows this text, or the number of
 * messages if `words` is null.
 */
export async function markAll(
  bridge: Bridge,
  accountId: string,
  { narrow, words }: { readonly narrow: Narrow; readonly words: string | null },
): Promise<void> {
  try {
    const upTo = (await unreadIn(bridge, accountId, narrow)).at(-1)
    if (upTo === undefined) return
    await markRead(bridge, accountId, { narrow, upTo, words })
  } catch (error) {
    toasts.failed(error)
  }
}

/** The messages of a narrow that this device currently knows as unread, oldest first. */
export const unreadIn = (bridge: Bridge, accountId: string, narrow: Narrow): Promise<readonly MessageId[]> =>
  once(bridge, 'unread-ids', { accountId, narrow, upTo: messageId(Number.MAX_SAFE_INTEGER) })

/**
 * Marks everything in a narrow up to a message as read, says so as `markAll` does, and offers to take it back where the
 * person may mark messages as unread.
 */
export async function markRead(
  bridge: Bridge,
  accountId: string,
  {
    narrow,
    upTo,
    words,
  }: { readonly narrow: Narrow; readonly upTo: MessageId; readonly words: string | null },
): Promise<void> {
  try {
    const [messageIds, may] = await Promise.all([
      once(bridge, 'unread-ids', { accountId, narrow, upTo }),
      once(bridge, 'permissions', { accountId, narrow }),
    ])
    const action = { name: 'mark-narrow-read', narrow, upTo } as const
    const { localId } = await bridge.call('act', { accountId, action })
    const undo = () => {
      for (let from = 0; from < messageIds.length; from += atOnce) {
        const action = { name: 'mark-unread', messageIds: messageIds.slice(from, from + atOnce) } as const
        bridge.call('act', { accountId, action }).catch((error: unknown) => toasts.failed(error))
      }
    }
    toasts.show({
      words: words ?? t.shared.messagesRead(messageIds.length),
      undo: may.messages.markUnread ? undo : null,
      change: { accountId, localId },
    })
  } catch (error) {
    toasts.failed(error)
  }
}
