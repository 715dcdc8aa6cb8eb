import type { DraftId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { Offers } from '../offers.ts'
import { addressOf, route, type Route } from '../navigation/route.svelte.ts'

/** Which characters of a text are selected, from the first to before the last; the cursor if both are the same. */
export type Selection = readonly [start: number, end: number]

/** The visible field in which a message is written. */
export interface ComposeField {
  focus(selection?: Selection): void
  /** Whether it writes to that conversation, and knows which draft it has. */
  isFor(accountId: string, conversation: Conversation): boolean
  readonly text: string
  /**
   * Appends words to the typed text, or to the beginning of it that was there when they were asked for, and takes the
   * focus, unless told not to.
   */
  append(words: string, how?: { readonly takesFocus: boolean; readonly beginning?: string | undefined }): void
  /** Shows another draft of its conversation; the present one stays as it is. Only where a conversation is open. */
  readonly pick?: ((draftId: DraftId) => Promise<void>) | undefined
  /**
   * The place's topic is elsewhere now, and the window goes there: the field there goes on with the text, and has the
   * focus if this one had it. Only where a conversation is open.
   */
  readonly passOn?: ((place: Route, conversation: Conversation) => void) | undefined
}

/** The visible compose box, for code outside it: keys, quoting, mentioning. */
class OpenCompose {
  readonly #fields = new Offers<ComposeField>()
  /** The address of the place whose field takes the focus when it appears; null if none is awaited. */
  #awaited: { readonly address: string; readonly selection: Selection | undefined } | null = null
  readonly #repliers = new Offers<() => void>()

  /** Registers a field until the returned function is called; the newest field is used. */
  offer(field: ComposeField): () => void {
    const awaited = this.#awaited
    if (awaited !== null && route.current !== null && addressOf(route.current) === awaited.address)
      queueMicrotask(() => field.focus(awaited.selection))
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
  focusAt(place: Route, selection?: Selection): void {
    this.#awaited = { address: addressOf(place), selection }
  }

  /** The visible field, if it writes to that conversation; else null. */
  of(accountId: string, conversation: Conversation): ComposeField | null {
    return this.current?.isFor(accountId, conversation) === true ? this.current : null
  }

  /** Null while this screen has no field to write in. */
  get current(): ComposeField | null {
    return this.#fields.newest ?? null
  }
}

export const openCompose = new OpenCompose()
