import { untrack } from 'svelte'
import { route } from '../navigation/route.svelte.ts'
import { keepRowPlace, keptRowPlace, rowAt, rowPlace } from '../navigation/row-place.ts'

/**
 * Which row of a list has the focus, is under the pointer or has its menu open, so that it shows its actions, and which
 * one the Tab key leads to. The list's element needs the listeners below. Create it while a component is created.
 */
export class ActiveRow {
  readonly #keys: () => readonly string[]
  readonly #selector: string
  #place = $state.raw(untrack(keptRowPlace))
  #focused = $state<string | null>(null)
  #hovered = $state<string | null>(null)
  #menuOf = $state<string | null>(null)
  /**
   * The row that the focus goes to when an open menu has closed, which keeps it until then: the menu's own, unless that
   * goes. The button that opened the menu may be gone by then.
   */
  afterMenu: string | null = null
  readonly #tabStop = $derived.by(() => rowAt(this.#place, this.#keys()) ?? this.#keys()[0] ?? null)

  /** `keys`: those of the rows, from top to bottom; `selector`: of a row's element, whose `data-key` is its key. */
  constructor(keys: () => readonly string[], selector: string) {
    this.#keys = keys
    this.#selector = selector
    // Kept when the person leaves the list and comes back.
    $effect(() => route.beforeGoing(this.keep))
  }

  /** The row that has the focus now. */
  get focused(): string | null {
    return this.#focused
  }
  /** The row that last had the focus, though it may be gone. */
  get last(): string | null {
    return this.#place?.from[0] ?? null
  }
  get tabStop(): string | null {
    return this.#tabStop
  }
  get menuOf(): string | null {
    return this.#menuOf
  }
  set menuOf(key: string | null) {
    this.#menuOf = key
    if (key !== null) this.afterMenu = key
  }
  /** Whether the row has the focus or is under the pointer. */
  isNear(key: string): boolean {
    return key === this.#focused || key === this.#hovered
  }

  readonly keep = (): void => keepRowPlace(this.#place)
  readonly pointerOver = ({ target }: Event): void => void (this.#hovered = this.#keyAt(target))
  readonly pointerLeave = (): void => void (this.#hovered = null)
  readonly focusIn = ({ target }: Event): void => {
    this.#focused = this.#keyAt(target)
    if (this.#focused !== null) this.#place = rowPlace(this.#keys(), this.#focused)
  }
  readonly focusOut = ({ relatedTarget }: FocusEvent): void =>
    void (this.#focused = this.#keyAt(relatedTarget))

  #keyAt(target: EventTarget | null): string | null {
    const row = target instanceof Element ? target.closest<HTMLElement>(this.#selector) : null
    return row?.dataset['key'] ?? null
  }
}
