import { SvelteMap } from 'svelte/reactivity'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { DraftId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { Draft } from '../../../src-shared/model/draft.ts'
import { once } from '../data/once.ts'

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

  /** A topic has another name or channel: the choice for it goes along. */
  follow(accountId: string, from: Conversation, to: Conversation): void {
    this.pick(accountId, to, this.of(accountId, from))
  }
}

const keyOf = (accountId: string, conversation: Conversation) =>
  `${accountId} ${conversationKey(conversation)}`

export const pickedDrafts = new PickedDrafts()

/** The draft to go on with; null for a new one. One that has another recipient by now is not the conversation's. */
export async function draftIn(
  bridge: Bridge,
  accountId: string,
  conversation: Conversation,
  picked: PickedDraft,
): Promise<Draft | null> {
  if (picked === 'new') return null
  const draft = picked === 'newest' ? null : await once(bridge, 'draft', { accountId, draftId: picked })
  const recipient = draft?.recipient ?? null
  return recipient !== null && conversationKey(recipient) === conversationKey(conversation)
    ? draft
    : once(bridge, 'conversation-draft', { accountId, conversation })
}
