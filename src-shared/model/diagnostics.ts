/** The number of rows of one kind. */
export interface Count {
  readonly name: string
  readonly count: number
}

/** Data that could not be used, by kind and reason; never its content. */
export interface SetAside {
  /** The event's type; `snapshot:` and the field's name; or `message`. */
  readonly what: string
  readonly reason: string
  readonly count: number
  /** Epoch milliseconds. */
  readonly lastAt: number
}

/** The state of the files on disk: sizes, and moments in epoch milliseconds. */
export interface FileHealth {
  /** The size of SQLite's write-ahead log; parts that are checkpointed count until they are overwritten. */
  readonly logBytes: number
  /** The time of the last checkpoint. */
  readonly movedAt: number | null
  /** Free space on the disk; null if the system does not say. */
  readonly freeBytes: number | null
  /** The integrity check since the start; null if there was no reason for one. */
  readonly check: FileCheck | null
  /** The journal, the second copy of the own tables; null if there is none. */
  readonly journal: {
    readonly bytes: number
    /** When it was last rewritten. */
    readonly begunAt: number
    readonly writtenAt: number
  } | null
}

/** The result of checking all pages of the file. */
export interface FileCheck {
  readonly at: number
  readonly isSound: boolean
}

/** The state of an account's file and its sync, in numbers and kinds: no words, names or addresses of anybody. */
export interface Diagnostics {
  readonly server: {
    readonly featureLevel: number
    readonly version: string
    /** What the server does not support, in words. */
    readonly missing: readonly string[]
  }
  readonly queue: {
    readonly isRegistered: boolean
    readonly lastEventId: number
    /** How many times the account has registered. */
    readonly generation: number
    /** Epoch milliseconds; null if it never was. */
    readonly heardAt: number | null
  }
  readonly messages: {
    /** The number of these, up to the limit of counting. */
    readonly count: number
    readonly isMore: boolean
    /** Ranges of complete history, by kind of narrow. */
    readonly ranges: readonly (Count & { readonly live: number })[]
  }
  /** By state. */
  readonly outbox: readonly Count[]
  readonly drafts: readonly Count[]
  readonly versions: number
  /** Newest first. */
  readonly setAside: readonly SetAside[]
  readonly file: FileHealth & {
    readonly bytes: number
    readonly form: number
    /** How many changes of the own tables the file has seen since it was created. */
    readonly ownChanges: number
  }
}
