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

/** How what lies on the disk stands, in sizes and moments (epoch milliseconds). */
export interface FileHealth {
  /** How long SQLite's log beside it is; what was moved into the file counts until it is written over. */
  readonly logBytes: number
  /** When something of the log was last moved into the file. */
  readonly movedAt: number | null
  /** Room on the disk; null where the system does not say. */
  readonly freeBytes: number | null
  /** The check of all pages since the start; null when there was no reason for one. */
  readonly check: FileCheck | null
  /** The second copy of what only this device knows; null when there is none. */
  readonly journal: {
    readonly bytes: number
    /** When it was last written anew. */
    readonly begunAt: number
    readonly writtenAt: number
  } | null
}

/** What a look at all pages of the file found. */
export interface FileCheck {
  readonly at: number
  readonly isSound: boolean
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
  readonly file: FileHealth & {
    readonly bytes: number
    readonly form: number
    /** Changes of what only this device knows, since the file was begun. */
    readonly ownChanges: number
  }
}
