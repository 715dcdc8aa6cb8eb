import { tick } from 'svelte'
import { accountId as asAccountId, type DraftId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import { narrowKey } from '../../../src-shared/model/narrow.ts'
import { newMessage } from '../writing/new-message.svelte.ts'
import { openCompose } from '../writing/open-compose.ts'
import { pickedDrafts } from '../writing/picked-drafts.svelte.ts'
import { route, type Route } from './route.svelte.ts'

/**
 * Goes to a conversation to write in its own box, which takes the focus. An open new message gives way; its text is a
 * draft on disk by then. The box shows the given draft, or else that of a new message to the same conversation.
 */
export async function goToWrite(
  accountId: string,
  conversation: Conversation,
  draftId: DraftId | null = null,
): Promise<void> {
  const goesOn = newMessage.isFor(conversation)
  const closed = await newMessage.close()
  const shown = draftId ?? (goesOn ? closed : null)
  await tick()
  const { current } = route
  const isThere =
    current?.view === 'feed' &&
    current.accountId === accountId &&
    narrowKey(current.narrow) === conversationKey(conversation)
  if (isThere && openCompose.current !== null) {
    if (shown !== null) await openCompose.current.pick?.(shown)
    openCompose.current.focus()
    return
  }
  if (shown !== null) pickedDrafts.pick(accountId, conversation, shown)
  const place: Route = { view: 'feed', accountId: asAccountId(accountId), narrow: conversation, near: null }
  openCompose.focusAt(place)
  route.go(place)
}
