import type { Conversation } from '../../src-shared/model/conversation.ts'

/** Where the person last had a topic or its messages moved to, wherever in the window: its feed goes there too. */
export const ownMove: { to: Conversation | null } = { to: null }
