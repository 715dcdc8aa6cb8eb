import type { MessageId } from '../../../src-shared/ids.ts'

/** How long a message must be in view before it counts as read, in milliseconds. */
const seenMs = 500
/** How long marks are collected before they are sent together, in milliseconds. */
const gatherMs = 400

/** Turns what is in view into read marks, in batches. Times are milliseconds of any single clock. */
export class ReadMarks {
  readonly #since = new Map<MessageId, number>()
  readonly #marked = new Set<MessageId>()
  #unreadFrom: MessageId | null = null

  /** Takes the unread messages in view now; returns those that were in view long enough, each once. */
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

  /** The person wants this message and all later ones to stay unread although they are in view. */
  keepUnread(from: MessageId): void {
    this.#unreadFrom = from
    this.#since.clear()
  }

  static readonly everyMs = gatherMs
}

/**
 * Whether a message counts as seen: its end must be in view, so a message taller than the window counts once the
 * reader has scrolled through it. All in pixels of one axis.
 */
export function isSeen(row: { readonly bottom: number }, view: { top: number; bottom: number }): boolean {
  const tolerance = 4
  return row.bottom > view.top && row.bottom <= view.bottom + tolerance
}
