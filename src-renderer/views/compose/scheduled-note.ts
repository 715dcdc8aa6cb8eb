import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { accountId as asAccountId, type DraftId, type LocalId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { isOnServer } from '../../../src-shared/model/later.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { newMessage } from '../../state/writing/new-message.svelte.ts'
import { once } from '../../state/data/once.ts'
import { route } from '../../state/navigation/route.svelte.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { futureTime } from '../../time.ts'

/** A message that was put into the outbox for a later moment. */
export interface Scheduled {
  readonly localId: LocalId
  readonly conversation: Conversation
  readonly content: string
  /** Epoch milliseconds. */
  readonly sendAt: number
}

/**
 * Says when a message will be sent whose box has closed. Undo makes it a draft again, also if the server has it, and
 * opens that as a new message while the person is still in the organization.
 */
export function noteScheduled(
  bridge: Bridge,
  accountId: string,
  message: Scheduled,
  twentyFourHour: boolean,
): void {
  const { conversation, sendAt } = message
  toasts.show({
    words: t.compose.sendsAt(futureTime(sendAt, Date.now(), twentyFourHour)),
    undo: async () => {
      await goOnWriting(bridge, accountId, conversation, await takeBack(bridge, accountId, message))
    },
    to: { view: 'scheduled', accountId: asAccountId(accountId) },
  })
}

/** Opens a draft of the conversation as a new message while the person is still in the organization. */
export async function goOnWriting(
  bridge: Bridge,
  accountId: string,
  conversation: Conversation,
  draftId: DraftId,
): Promise<void> {
  const { current } = route
  const isHere = current !== null && 'accountId' in current && current.accountId === accountId
  if (isHere) await newMessage.answer(bridge, accountId, conversation, draftId)
}

/** Turns the message back into a draft, whose id it returns. */
async function takeBack(bridge: Bridge, accountId: string, message: Scheduled): Promise<DraftId> {
  const { localId, conversation, content } = message
  const all = await once(bridge, 'scheduled', { accountId })
  const there = all.find((one) => isOnServer(one, message))
  if (there === undefined || there.scheduledId === null) {
    const { draftId } = await bridge.call('take-back-message', { accountId, localId })
    return draftId
  }
  // First the draft: the words must be somewhere at every moment.
  const draft = { recipient: conversation, content }
  const { draftId } = await bridge.call('save-draft', { accountId, draftId: null, draft })
  await bridge.call('act', {
    accountId,
    action: { name: 'cancel-scheduled', scheduledId: there.scheduledId },
  })
  return draftId
}
