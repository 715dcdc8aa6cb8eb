import type { MessageId } from '../../src-shared/ids.ts'

/** How long a message has to be in view before it counts as read, milliseconds. */
const seenMs = 500
/** How long marks are gathered before they are sent together, milliseconds. */
const gatherMs = 400

/** Turns what is in view into marks, gathered. Times are milliseconds of any one clock. */
export class ReadMarks {
  readonly #since = new Map<MessageId, number>()
  readonly #marked = new Set<MessageId>()
  #unreadFrom: MessageId | null = null

  /** The unread messages in view now; answers those that have been in view long enough, each once. */
  see(visible: readonly MessageId[], now: number): MessageId[] {
    const inView = new Set(visible)
    for (const id of this.#since.keys()) if (!inView.has(id)) this.#since.delete(id)
    const read: MessageId[] = []
    for (const id of visible) {
      if (this.#marked.has(id) || (this.#unreadFrom !== null && id >= this.#unreadFrom)) continue
      const since = this.#since.get(id)
      if (since === undefined) this.#since.set(id, now)
      else if (now - since >= seenMs) {
        this.#marked.add(id)
        read.push(id)
      }
    }
    return read
  }

  /** The person wants this message and those after it to stay unread, although they are in view. */
  keepUnread(from: MessageId): void {
    this.#unreadFrom = from
    this.#since.clear()
  }

  static readonly everyMs = gatherMs
}

/**
 * Whether a message counts as seen: its end is in view, so a message taller than the window counts once it was
 * scrolled through. All in pixels of one axis.
 */
export function isSeen(row: { readonly bottom: number }, view: { top: number; bottom: number }): boolean {
  const tolerance = 4
  return row.bottom > view.top && row.bottom <= view.bottom + tolerance
}
