import type { LocalId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import { undoSendMs } from '../../../src-shared/model/outbox.ts'

/** The message that was sent last, while it can be undone. */
class LastSent {
  #sent = $state.raw<{ accountId: string; localId: LocalId; key: string } | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  note(accountId: string, conversation: Conversation, localId: LocalId): void {
    clearTimeout(this.#timer)
    this.#sent = { accountId, localId, key: conversationKey(conversation) }
    this.#timer = setTimeout(() => this.forget(localId), undoSendMs)
  }

  /** The message in the conversation that can be undone; null if there is none. */
  in(accountId: string, conversation: Conversation | null): LocalId | null {
    const sent = this.#sent
    if (sent === null || conversation === null) return null
    return sent.accountId === accountId && sent.key === conversationKey(conversation) ? sent.localId : null
  }

  /** It cannot be undone any more; a message that was sent after it still can. */
  forget(localId: LocalId): void {
    if (this.#sent?.localId !== localId) return
    clearTimeout(this.#timer)
    this.#sent = null
  }
}

export const lastSent = new LastSent()
