import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { once } from '../data/once.ts'
import { toasts } from '../toast.svelte.ts'

/** Marks the newest messages of a place on this device as unread, and offers to undo it. */
export const markPlaceUnread = (
  bridge: Bridge,
  accountId: string,
  { narrow, name }: { readonly narrow: Narrow; readonly name: string },
): Promise<void> =>
  changeMarked(bridge, accountId, {
    ...{ narrow, mark: 'read', words: () => t.shared.markedUnread(name) },
    actionFor: (messageIds, isUndone) => ({ name: isUndone ? 'mark-read' : 'mark-unread', messageIds }),
  })

/** Removes the stars of the messages of a narrow on this device, and offers to undo it. */
export const unstarAll = (bridge: Bridge, accountId: string, narrow: Narrow): Promise<void> =>
  changeMarked(bridge, accountId, {
    ...{ narrow, mark: 'starred', words: t.shared.starsRemoved },
    actionFor: (messageIds, isUndone) => ({
      name: 'star-message',
      messageIds,
      on: isUndone,
      restores: isUndone,
    }),
  })

async function changeMarked(
  bridge: Bridge,
  accountId: string,
  change: {
    readonly narrow: Narrow
    readonly mark: 'read' | 'starred'
    words(count: number): string
    actionFor(messageIds: MessageId[], isUndone: boolean): ActionInput
  },
): Promise<void> {
  try {
    const { narrow, mark } = change
    const ids = await once(bridge, 'marked-ids', { accountId, narrow, mark })
    if (ids.length === 0) return
    const act = (isUndone: boolean) =>
      bridge.call('act', { accountId, action: change.actionFor([...ids], isUndone) })
    const { localId } = await act(false)
    toasts.show({
      words: change.words(ids.length),
      undo: () => act(true),
      change: { accountId, localId },
    })
  } catch (error) {
    toasts.failed(error)
  }
}
