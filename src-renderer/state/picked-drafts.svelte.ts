import { SvelteMap } from 'svelte/reactivity'
import type { DraftId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'

/** Which of a conversation's drafts is in its field: the newest, a chosen one, or a new one. */
export type PickedDraft = 'newest' | 'new' | DraftId

/** The person's choice for conversations with several drafts; lost when the window closes. */
class PickedDrafts {
  readonly #picked = new SvelteMap<string, PickedDraft>()

  of(accountId: string, conversation: Conversation): PickedDraft {
    return this.#picked.get(keyOf(accountId, conversation)) ?? 'newest'
  }

  pick(accountId: string, conversation: Conversation, picked: PickedDraft): void {
    const key = keyOf(accountId, conversation)
    if (picked === 'newest') this.#picked.delete(key)
    else this.#picked.set(key, picked)
  }
}

const keyOf = (accountId: string, conversation: Conversation) =>
  `${accountId} ${conversationKey(conversation)}`

export const pickedDrafts = new PickedDrafts()
