import type { DraftId } from '../../../src-shared/ids.ts'
import { Offers } from '../offers.ts'
import { addressOf, route, type Route } from '../navigation/route.svelte.ts'

/** The visible field in which a message is written. */
export interface ComposeField {
  focus(): void
  /** Appends words to the typed text and takes the focus. */
  append(words: string): void
  /** Shows another draft of its conversation; the present one stays as it is. Only where a conversation is open. */
  readonly pick?: ((draftId: DraftId) => Promise<void>) | undefined
}

/** The visible compose box, for code outside it: keys, quoting, mentioning. */
class OpenCompose {
  readonly #fields = new Offers<ComposeField>()
  /** The address of the place whose field takes the focus when it appears; null if none is awaited. */
  #awaited: string | null = null
  readonly #repliers = new Offers<() => void>()

  /** Registers a field until the returned function is called; the newest field is used. */
  offer(field: ComposeField): () => void {
    if (this.#awaited !== null && route.current !== null && addressOf(route.current) === this.#awaited)
      queueMicrotask(() => field.focus())
    this.#awaited = null
    return this.#fields.add(field)
  }

  /**
   * Registers how to answer the message that keys apply to, until the returned function is called; the newest is used.
   */
  offerReply(reply: () => void): () => void {
    return this.#repliers.add(reply)
  }

  /** Moves to where the person would answer what is on screen. */
  reply(): void {
    const reply = this.#repliers.newest
    if (reply === undefined) this.current?.focus()
    else reply()
  }

  /**
   * The field of a place takes the focus when it appears, so that the person continues writing there, unless another
   * field appears first.
   */
  focusAt(place: Route): void {
    this.#awaited = addressOf(place)
  }

  /** Null while this screen has no field to write in. */
  get current(): ComposeField | null {
    return this.#fields.newest ?? null
  }
}

export const openCompose = new OpenCompose()
