import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { accountId as asAccountId, type LocalId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { isStuck, type SendState } from '../../../src-shared/model/outbox.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { lastSent } from '../../state/writing/last-sent.svelte.ts'
import { once } from '../../state/data/once.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { sendWords } from '../feed/send-words.ts'
import { continueWriting } from './scheduled-note.ts'
import { mayTakeBack } from './sending.svelte.ts'

/** How long a message may take to reach the server before it is called queued, in milliseconds. */
const patienceMs = 1_500

/**
 * Says that a message was sent whose box has closed, or why not, and where it is, for somebody who stays elsewhere,
 * unless something newer is said by then. Undo makes it a draft again, where that is allowed, and opens that as a new
 * message while the person is still in the organization.
 */
export async function noteSent(
  bridge: Bridge,
  accountId: string,
  conversation: Conversation,
  isOnline: boolean,
): Promise<void> {
  const localId = lastSent.in(accountId, conversation)
  if (localId === null) return
  const before = toasts.current
  const fate = isOnline ? await fateOf(bridge, accountId, localId) : 'waiting'
  const mayUndo =
    fate === 'waiting' || (fate === 'there' && (await mayDelete(bridge, accountId, conversation)))
  if (toasts.current !== null && toasts.current !== before) return
  if (typeof fate !== 'string') {
    const to = { view: 'drafts', accountId: asAccountId(accountId) } as const
    toasts.show({ words: sendWords(fate, null).text, undo: null, to })
    return
  }
  const undo = async () => {
    const { draftId } = await bridge.call('undo-send', { accountId, localId })
    lastSent.forget(localId)
    await continueWriting(bridge, accountId, conversation, draftId)
  }
  toasts.show({
    words: fate === 'there' ? t.compose.sent : t.compose.queued,
    undo: mayUndo ? undo : null,
    to: { view: 'feed', accountId: asAccountId(accountId), narrow: conversation, near: null },
  })
}

async function mayDelete(bridge: Bridge, accountId: string, narrow: Conversation): Promise<boolean> {
  return mayTakeBack((await once(bridge, 'permissions', { accountId, narrow })).messages)
}

/** Whether a message leaves the outbox soon, or why it stays there until the person decides. */
const fateOf = (
  bridge: Bridge,
  accountId: string,
  localId: LocalId,
): Promise<'there' | 'waiting' | SendState> =>
  new Promise((resolve) => {
    const end = (fate: 'there' | 'waiting' | SendState) => {
      clearTimeout(timer)
      resolve(fate)
      queueMicrotask(() => stop())
    }
    const timer = setTimeout(() => end('waiting'), patienceMs)
    const stop = bridge.watch(
      'outbox',
      { accountId },
      (waiting) => {
        const own = waiting.find((one) => one.localId === localId)
        if (own === undefined) end('there')
        else if (isStuck(own.state)) end(own.state)
      },
      { onFailure: () => end('waiting') },
    )
  })
