/** The two calls of zulip-js that are measured; they return the server's answer, parsed. */
export interface ZulipClient {
  messages: {
    retrieve(parameters: Readonly<Record<string, unknown>>): Promise<unknown>
    send(parameters: Readonly<Record<string, unknown>>): Promise<unknown>
  }
}

export function zulipClient(realm: string, email: string, apiKey: string): Promise<ZulipClient>
