import type { MessageId } from '../../src-shared/ids.ts'

/** How long a message has to be in view before it counts as read, milliseconds. */
const seenMs = 500
/** How long marks are gathered before they are sent together, milliseconds. */
const gatherMs = 400

/** Turns what is in view into marks, gathered. Times are milliseconds of any one clock. */
export class ReadMarks {
  readonly #since = new Map<MessageId, number>()
  readonly #marked = new Set<MessageId>()

  /** The unread messages in view now; answers those that have been in view long enough, each once. */
  see(visible: readonly MessageId[], now: number): MessageId[] {
    const inView = new Set(visible)
    for (const id of this.#since.keys()) if (!inView.has(id)) this.#since.delete(id)
    const read: MessageId[] = []
    for (const id of visible) {
      if (this.#marked.has(id)) continue
      const since = this.#since.get(id)
      if (since === undefined) this.#since.set(id, now)
      else if (now - since >= seenMs) {
        this.#marked.add(id)
        read.push(id)
      }
    }
    return read
  }

  /** The person wants these to stay unread for now. */
  forget(ids: readonly MessageId[]): void {
    for (const id of ids) this.#since.delete(id)
  }

  static readonly everyMs = gatherMs
}
