import { tick } from 'svelte'
import { accountId as asAccountId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import { narrowKey } from '../../src-shared/model/narrow.ts'
import { newMessage } from './new-message.svelte.ts'
import { openCompose } from './open-compose.ts'
import { route, type Route } from './route.svelte.ts'

/**
 * Goes to a conversation to write in its own box, which takes the focus. An open new message gives way; its text is a
 * draft on disk by then.
 */
export async function goToWrite(accountId: string, conversation: Conversation): Promise<void> {
  await newMessage.close()
  await tick()
  const { current } = route
  const isThere =
    current?.view === 'feed' &&
    current.accountId === accountId &&
    narrowKey(current.narrow) === conversationKey(conversation)
  if (isThere && openCompose.current !== null) {
    openCompose.current.focus()
    return
  }
  const place: Route = { view: 'feed', accountId: asAccountId(accountId), narrow: conversation, near: null }
  openCompose.focusAt(place)
  route.go(place)
}
