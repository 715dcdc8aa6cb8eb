/** A conversation that was written by hand. */
export interface Thread {
  /** Where: a topic of a channel, or the keys of the people of a direct conversation. */
  readonly in: readonly [channel: string, topic: string] | { readonly people: string }
  /**
   * When its last message was sent: so long ago (`25m`, `5h`), so many days ago at a time (`1d 16:20`), at the last
   * such weekday (`sun 18:40`), or on the last such day of a year (`04-03 10:00`). Times are UTC.
   */
  readonly ends: string
  /** How many of the last messages Maren has not read. */
  readonly unread?: number
  /** See `parseScript`. */
  readonly script: string
}
