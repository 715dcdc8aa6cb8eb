/** The field in front of the person that a message is written in. */
export interface ComposeField {
  focus(): void
  /** Puts words after what is typed already, and takes the focus. */
  append(words: string): void
}

/** The compose box on screen, for what is elsewhere: keys, quoting, mentioning. */
class OpenCompose {
  #fields: ComposeField[] = []
  #wantsFocus = false
  #repliers: (() => void)[] = []

  /** Offers a field until the returned function is called; the newest is used. */
  offer(field: ComposeField): () => void {
    this.#fields.push(field)
    if (this.#wantsFocus) queueMicrotask(() => field.focus())
    this.#wantsFocus = false
    return () => {
      this.#fields = this.#fields.filter((one) => one !== field)
    }
  }

  /** Offers to answer the message that keys are about, until the returned function is called; the newest is used. */
  offerReply(reply: () => void): () => void {
    this.#repliers.push(reply)
    return () => {
      this.#repliers = this.#repliers.filter((one) => one !== reply)
    }
  }

  /** Goes on where the person would answer what is on screen. */
  reply(): void {
    const reply = this.#repliers.at(-1)
    if (reply === undefined) this.current?.focus()
    else reply()
  }

  /** The next field that appears takes the focus: the person goes on writing there. */
  focusNext(): void {
    this.#wantsFocus = true
  }

  /** Null while nothing can be written on this screen. */
  get current(): ComposeField | null {
    return this.#fields.at(-1) ?? null
  }
}

export const openCompose = new OpenCompose()
