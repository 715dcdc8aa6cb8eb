import { tick } from 'svelte'
import { accountId as asAccountId, type DraftId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { newMessage } from '../writing/new-message.svelte.ts'
import { openCompose } from '../writing/open-compose.ts'
import { pickedDrafts } from '../writing/picked-drafts.svelte.ts'
import { isFeedOpen, route, type Route } from './route.svelte.ts'

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
  if (isFeedOpen(accountId, conversation) && openCompose.current !== null) {
    if (shown !== null) await openCompose.current.pick?.(shown)
    openCompose.current.focus()
    return
  }
  if (shown !== null) pickedDrafts.pick(accountId, conversation, shown)
  const place: Route = { view: 'feed', accountId: asAccountId(accountId), narrow: conversation, near: null }
  openCompose.focusAt(place)
  route.go(place)
}
