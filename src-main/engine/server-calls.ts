import { messages } from '../../src-shared/api/messages.ts'
import { session } from '../../src-shared/api/session.ts'
import type { CallResultOf, ServerSearchResults } from '../../src-shared/bridge/calls.ts'
import type { MessageId } from '../../src-shared/ids.ts'
import type { Person } from '../../src-shared/model/user.ts'
import { messageHistory, messageSource, readReceipts, type FactsParts } from './message-facts.ts'
import { searchServer } from './server-search.ts'

/** What windows ask an account for that only its server knows. Each rejects with a FailureError. */
export interface ServerCalls {
  /** Measures one request to the server, in milliseconds. */
  ping(): Promise<number>
  /** What the server finds and this device does not have. */
  searchServer(text: string, before: MessageId | null): Promise<ServerSearchResults>
  /** The Markdown of a message. */
  messageSource(id: MessageId): Promise<string>
  /** The versions of a message, newest first. */
  messageHistory(id: MessageId): Promise<CallResultOf<'message-history'>>
  /** The other people who have read a message and let others know, by name. */
  readReceipts(id: MessageId): Promise<Person[]>
  /** The HTML that the server makes of a message's Markdown. */
  previewOnServer(content: string): Promise<string>
}

/** The calls of one account; requests under way end when `signal` aborts. */
export function createServerCalls(parts: FactsParts): ServerCalls {
  const { connection, context, signal } = parts
  return {
    async ping() {
      const began = performance.now()
      await connection.call(session.getServerSettings, {}, { signal })
      return Math.round(performance.now() - began)
    },
    searchServer: (text, before) => searchServer(connection, context(), text, before, signal),
    messageSource: (id) => messageSource(parts, id),
    messageHistory: (id) => messageHistory(parts, id),
    readReceipts: (id) => readReceipts(parts, id),
    async previewOnServer(content) {
      return (await connection.call(messages.renderMessage, { content }, { signal })).rendered
    },
  }
}
