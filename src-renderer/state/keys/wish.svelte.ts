import { tick } from 'svelte'

/**
 * Something that a key asked for and another component does, like giving a field the focus. It is done once, and only if
 * that component is there as soon as the window is drawn: whoever goes elsewhere is not interrupted by it later.
 */
export class Wish {
  #asked = $state(0)
  #answered = 0

  ask(): void {
    const asked = ++this.#asked
    void tick().then(() => (this.#answered = Math.max(this.#answered, asked)))
  }

  /** Whether it was asked for and not yet done; for effects, which run again when it is. */
  take(): boolean {
    const isNew = this.#asked > this.#answered
    this.#answered = this.#asked
    return isNew
  }
}
