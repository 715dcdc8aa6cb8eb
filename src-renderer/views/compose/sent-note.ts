import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { accountId as asAccountId, type LocalId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { lastSent } from '../../state/last-sent.svelte.ts'
import { toasts } from '../../state/toast.svelte.ts'
import { goOnWriting } from './scheduled-note.ts'

/** How long a message may take to reach the server before it is called queued, in milliseconds. */
const patienceMs = 1_500

/**
 * Says that a message was sent whose box has closed, and where it is, for somebody who stays elsewhere. Undo makes it a
 * draft again, and opens that as a new message while the person is still in the organization.
 */
export async function noteSent(
  bridge: Bridge,
  accountId: string,
  conversation: Conversation,
  isOnline: boolean,
): Promise<void> {
  const localId = lastSent.in(accountId, conversation)
  if (localId === null) return
  const isThere = isOnline && (await hasLeft(bridge, accountId, localId))
  toasts.show({
    words: isThere ? t.compose.sent : t.compose.queued,
    undo: async () => {
      const { draftId } = await bridge.call('undo-send', { accountId, localId })
      lastSent.forget()
      await goOnWriting(bridge, accountId, conversation, draftId)
    },
    to: { view: 'feed', accountId: asAccountId(accountId), narrow: conversation, near: null },
  })
}

/** Whether a message leaves the outbox soon. */
const hasLeft = (bridge: Bridge, accountId: string, localId: LocalId): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isThere: boolean) => {
      clearTimeout(timer)
      resolve(isThere)
      queueMicrotask(() => stop())
    }
    const timer = setTimeout(() => end(false), patienceMs)
    const stop = bridge.watch(
      'outbox',
      { accountId },
      (waiting) => waiting.every((one) => one.localId !== localId) && end(true),
      () => end(false),
    )
  })
