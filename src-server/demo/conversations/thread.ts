/** A hand-written conversation. */
export interface Thread {
  /** Its place: a topic of a channel, or the keys of the people in a direct conversation. */
  readonly in: readonly [channel: string, topic: string] | { readonly people: string }
  /**
   * When its last message was sent: this long ago (`25m`, `5h`), this many days ago at a time (`1d 16:20`), on the
   * last such weekday (`sun 18:40`), or on the last such day of the year (`04-03 10:00`). Times are UTC.
   */
  readonly ends: string
  /** How many of its last messages Maren has not read. */
  readonly unread?: number
  /** See `parseScript`. */
  readonly script: string
}
