import type { MessageId } from '../ids.ts'
import type { Conversation } from './conversation.ts'

/** Where a person writes: a message for a conversation, or another text for a message. */
export type WritingPlace = Conversation | { readonly kind: 'message'; readonly messageId: MessageId }
