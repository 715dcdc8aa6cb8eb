/** Rows of one kind, counted. */
export interface Count {
  readonly name: string
  readonly count: number
}

/** What could not be used, by kind and reason; never what was in it. */
export interface SetAside {
  /** The event's type, `snapshot:` and the field, or `message`. */
  readonly what: string
  readonly reason: string
  readonly count: number
  /** Epoch milliseconds. */
  readonly lastAt: number
}

/** How an account's file and its sync stand, in numbers and kinds: no words, names or addresses of anybody. */
export interface Diagnostics {
  readonly server: {
    readonly featureLevel: number
    readonly version: string
    /** What a person does without there, in words. */
    readonly missing: readonly string[]
  }
  readonly queue: {
    readonly isRegistered: boolean
    readonly lastEventId: number
    /** How often the account has registered. */
    readonly generation: number
    /** Epoch milliseconds; null before the first time. */
    readonly heardAt: number | null
  }
  readonly messages: {
    /** As many as are counted. */
    readonly count: number
    readonly isMore: boolean
    /** Stretches of complete history, by kind of narrow. */
    readonly ranges: readonly (Count & { readonly live: number })[]
  }
  /** By state. */
  readonly outbox: readonly Count[]
  readonly drafts: readonly Count[]
  readonly versions: number
  /** The newest first. */
  readonly setAside: readonly SetAside[]
  readonly file: {
    readonly bytes: number
    readonly form: number
    /** Changes of what only this device knows, since the file was begun. */
    readonly ownChanges: number
  }
}
