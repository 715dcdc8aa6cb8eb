import { Offers } from '../offers.ts'
import type { ShortcutName } from './shortcuts.ts'

/** An action available at the person's place, by the name of its shortcut. */
export interface Doable {
  readonly name: ShortcutName
  /** Its label here, if the shortcut's own label is too general. */
  readonly words?: string
  /** What it applies to, for people; empty if that is obvious. */
  readonly object: string
  run(): unknown
}

/** The actions that the visible views offer, for choosing them by name instead of by keys. */
class Doables {
  readonly #offers = new Offers<() => readonly Doable[]>()

  /** Registers a source of actions until the returned function is called; the source is asked each time. */
  offer(list: () => readonly Doable[]): () => void {
    return this.#offers.add(list)
  }

  /** The actions available now, those of the innermost view first. */
  list(): Doable[] {
    return this.#offers.all.flatMap((list) => list())
  }
}

export const doable = new Doables()
