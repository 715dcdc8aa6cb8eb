import { SvelteMap } from 'svelte/reactivity'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { DraftId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { Draft } from '../../../src-shared/model/draft.ts'
import { once } from '../data/once.ts'

/** Which of a conversation's drafts is in its field: the newest, a chosen one, or a new one. */
export type PickedDraft = 'newest' | 'new' | DraftId

interface Choice {
  readonly accountId: string
  readonly conversation: Conversation
  readonly picked: PickedDraft
}

/** The person's choice for conversations with several drafts; lost when the window closes. */
class PickedDrafts {
  readonly #choices = new SvelteMap<string, Choice>()

  of(accountId: string, conversation: Conversation): PickedDraft {
    return this.#choices.get(keyOf(accountId, conversation))?.picked ?? 'newest'
  }

  pick(accountId: string, conversation: Conversation, picked: PickedDraft): void {
    const key = keyOf(accountId, conversation)
    if (picked === this.of(accountId, conversation)) return
    if (picked === 'newest') this.#choices.delete(key)
    else this.#choices.set(key, { accountId, conversation, picked })
  }

  /** A topic has another name or channel: the choice for it goes along. */
  follow(accountId: string, from: Conversation, to: Conversation): void {
    this.pick(accountId, to, this.of(accountId, from))
  }

  /** The drafts that were chosen in conversations of an account. */
  in(accountId: string): { readonly conversation: Conversation; readonly draftId: DraftId }[] {
    return [...this.#choices.values()].flatMap(({ picked, ...choice }) =>
      choice.accountId !== accountId || picked === 'new' || picked === 'newest'
        ? []
        : [{ conversation: choice.conversation, draftId: picked }],
    )
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
