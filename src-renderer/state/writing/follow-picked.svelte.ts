import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import { isFeedOpen } from '../navigation/route.svelte.ts'
import { pickedDrafts } from './picked-drafts.svelte.ts'

/**
 * Lets the choice of a draft go along with the draft when its topic is renamed or moved while that is not open; an open
 * feed does so itself. The choice for a topic that was there before stays. The choice of a new draft stays
 * behind, because nothing of it moves. What moved while another account was open goes along once this one is open again.
 * Returns how to stop.
 */
export const followPicked = (bridge: Bridge, accountId: string): (() => void) =>
  $effect.root(() => {
    $effect(() => {
      const stops = pickedDrafts.in(accountId).map(({ conversation: from, draftId }) =>
        bridge.watch('draft', { accountId, draftId }, (draft) => {
          if (isFeedOpen(accountId, from)) return
          const to = draft?.recipient ?? null
          if (draft !== null && (to === null || conversationKey(to) === conversationKey(from))) return
          if (to !== null && pickedDrafts.of(accountId, to) === 'newest')
            pickedDrafts.pick(accountId, to, draftId)
          // Of a draft that was sent or deleted, nothing more is to be heard.
          pickedDrafts.pick(accountId, from, 'newest')
        }),
      )
      return () => {
        for (const stop of stops) stop()
      }
    })
  })
