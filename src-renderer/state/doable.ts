import type { ShortcutName } from './shortcuts.ts'

/** Something that can be done where the person is, by the name of its shortcut. */
export interface Doable {
  readonly name: ShortcutName
  /** What it does here, where the shortcut's own words are too wide. */
  readonly words?: string
  /** What it is done with, for people; empty where that is plain. */
  readonly object: string
  run(): unknown
}

/** What the views in front of the person offer to do, for where things are chosen by name instead of by keys. */
class Doables {
  #offers: readonly (() => readonly Doable[])[] = []

  /** Offers until the returned function is called; it is asked each time what there is. */
  offer(list: () => readonly Doable[]): () => void {
    this.#offers = [list, ...this.#offers]
    return () => {
      this.#offers = this.#offers.filter((one) => one !== list)
    }
  }

  /** What can be done now; the innermost view first. */
  list(): Doable[] {
    return this.#offers.flatMap((list) => list())
  }
}

export const doable = new Doables()
