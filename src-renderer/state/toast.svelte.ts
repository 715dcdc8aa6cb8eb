import { failureText } from './failure-text.ts'
import { route, type Route } from './route.svelte.ts'

/** How long a toast stays, milliseconds. */
const stayMs = 6_000

/** Something that was done, said for a moment, with a way back. */
export interface Toast {
  readonly words: string
  readonly undo: (() => void) | null
  /** Where what was done can be seen, when that is elsewhere. */
  readonly to?: Route
}

/** The one toast of the window: a new one takes the place of the last. */
class Toasts {
  current = $state.raw<Toast | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined

  show(toast: Toast): void {
    this.current = toast
    this.resume()
  }

  /** Says why something was not done. */
  failed(error: unknown): void {
    this.show({ words: failureText(error), undo: null })
  }

  /** It stays while somebody looks at it. */
  hold(): void {
    clearTimeout(this.#timer)
  }

  resume(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.current = null), stayMs)
  }

  /** Takes back what was done, while it can be. */
  undo(): void {
    this.current?.undo?.()
    this.close()
  }

  /** Goes to where what was done can be seen. */
  goThere(): void {
    const to = this.current?.to
    this.close()
    if (to !== undefined) route.go(to)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.current = null
  }
}

export const toasts = new Toasts()
