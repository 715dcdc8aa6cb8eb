/** The visible field in which a message is written. */
export interface ComposeField {
  focus(): void
  /** Appends words to the typed text and takes the focus. */
  append(words: string): void
}

/** The visible compose box, for code outside it: keys, quoting, mentioning. */
class OpenCompose {
  #fields: ComposeField[] = []
  #wantsFocus = false
  #repliers: (() => void)[] = []

  /** Registers a field until the returned function is called; the newest field is used. */
  offer(field: ComposeField): () => void {
    this.#fields.push(field)
    if (this.#wantsFocus) queueMicrotask(() => field.focus())
    this.#wantsFocus = false
    return () => {
      this.#fields = this.#fields.filter((one) => one !== field)
    }
  }

  /**
   * Registers how to answer the message that keys apply to, until the returned function is called; the newest is used.
   */
  offerReply(reply: () => void): () => void {
    this.#repliers.push(reply)
    return () => {
      this.#repliers = this.#repliers.filter((one) => one !== reply)
    }
  }

  /** Moves to where the person would answer what is on screen. */
  reply(): void {
    const reply = this.#repliers.at(-1)
    if (reply === undefined) this.current?.focus()
    else reply()
  }

  /** The next field that appears takes the focus, so that the person continues writing there. */
  focusNext(): void {
    this.#wantsFocus = true
  }

  /** Null while this screen has no field to write in. */
  get current(): ComposeField | null {
    return this.#fields.at(-1) ?? null
  }
}

export const openCompose = new OpenCompose()
