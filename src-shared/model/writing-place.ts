import type { MessageId } from '../ids.ts'
import type { Conversation } from './conversation.ts'

/** Where a person writes: a new message in a conversation, or an edit of a message. */
export type WritingPlace = Conversation | { readonly kind: 'message'; readonly messageId: MessageId }
