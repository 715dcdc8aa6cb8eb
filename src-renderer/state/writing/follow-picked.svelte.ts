import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import { isFeedOpen } from '../navigation/route.svelte.ts'
import { pickedDrafts } from './picked-drafts.svelte.ts'

/**
 * Lets the choice of a draft go along with the draft when its topic is renamed or moved while that is not open; an open
 * feed does so itself. The choice for a topic that was there before stays. Returns how to stop.
 */
export const followPicked = (bridge: Bridge, accountId: string): (() => void) =>
  $effect.root(() => {
    $effect(() => {
      const stops = pickedDrafts.in(accountId).map(({ conversation: from, draftId }) =>
        bridge.watch('draft', { accountId, draftId }, (draft) => {
          const to = draft?.recipient ?? null
          if (to === null || conversationKey(to) === conversationKey(from) || isFeedOpen(accountId, from))
            return
          if (pickedDrafts.of(accountId, to) === 'newest') pickedDrafts.pick(accountId, to, draftId)
          pickedDrafts.pick(accountId, from, 'newest')
        }),
      )
      return () => {
        for (const stop of stops) stop()
      }
    })
  })
