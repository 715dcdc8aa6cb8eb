/** The part of the library that the tests use; the library has no types of its own. */
declare module 'zulip-js' {
  type Params = Readonly<Record<string, unknown>>
  // oxlint-disable-next-line typescript/no-explicit-any -- read field by field
  type Answer = Promise<Record<string, any>>

  export interface Client {
    readonly config: { readonly username: string; readonly apiKey: string; readonly realm: string }
    callEndpoint(path: string, method?: string, params?: Params): Answer
    readonly server: { settings(): Answer }
    readonly queues: { register(params?: Params): Answer; deregister(params: Params): Answer }
    readonly events: { retrieve(params: Params): Answer }
    readonly messages: {
      retrieve(params: Params): Answer
      send(params: Params): Answer
      render(content: string): Answer
      update(params: Params): Answer
      getById(params: Params): Answer
      getHistoryById(params: Params): Answer
      deleteById(params: Params): Answer
      readonly flags: { add(params: Params): Answer; remove(params: Params): Answer }
    }
    readonly reactions: { add(params: Params): Answer; remove(params: Params): Answer }
    readonly streams: {
      retrieve(): Answer
      getStreamId(name: string): Answer
      readonly subscriptions: { retrieve(): Answer }
      readonly topics: { retrieve(params: Params): Answer }
    }
    readonly users: {
      retrieve(): Answer
      readonly me: {
        getProfile(): Answer
        readonly subscriptions: { add(params: Params): Answer; remove(params: Params): Answer }
        readonly alertWords: { retrieve(): Answer }
      }
    }
    readonly emojis: { retrieve(): Answer }
    readonly typing: { send(params: Params): Answer }
  }

  export default function zulip(config: {
    username: string
    realm: string
    password?: string
    apiKey?: string
  }): Promise<Client>
}
