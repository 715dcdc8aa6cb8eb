import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { accountId as asAccountId, type DraftId, type LocalId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { newMessage } from '../../state/writing/new-message.svelte.ts'
import { isInAccount } from '../../state/navigation/route.svelte.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { futureTime } from '../../time.ts'

/** A message that was put into the outbox for a later moment. */
export interface Scheduled {
  readonly localId: LocalId
  readonly conversation: Conversation
  /** Epoch milliseconds. */
  readonly sendAt: number
}

/**
 * Says when a message will be sent. Undo makes it a draft again, also if the server has it, and goes on with that: as
 * a new message while the person is still in the organization, unless told otherwise. `back` as in `sendWords`.
 */
export function noteScheduled(
  bridge: Bridge,
  accountId: string,
  { localId, conversation, sendAt }: Scheduled,
  { back, uses24HourClock }: { readonly back: string | null; readonly uses24HourClock: boolean },
  continueWith = (draftId: DraftId) => continueWriting(bridge, accountId, conversation, draftId),
): void {
  const when = futureTime(sendAt, Date.now(), uses24HourClock)
  const { now, later } = t.compose.scheduled
  toasts.show({
    words: back === null ? now(when) : later(when, back),
    undo: async () => {
      const { draftId } = await bridge.call('undo-send', { accountId, localId })
      await continueWith(draftId)
    },
    to: { view: 'scheduled', accountId: asAccountId(accountId) },
    change: { accountId, localId },
  })
}

/** Opens a draft of the conversation as a new message while the person is still in the organization. */
export async function continueWriting(
  bridge: Bridge,
  accountId: string,
  conversation: Conversation,
  draftId: DraftId,
): Promise<void> {
  if (isInAccount(accountId)) await newMessage.answer(bridge, accountId, conversation, draftId)
}
