import type { LocalId } from '../../src-shared/ids.ts'
import { failureText } from './failure-text.ts'
import { route, type Route } from './navigation/route.svelte.ts'

/** How long a toast stays, in milliseconds. */
const stayMs = 6_000

/** A short confirmation of something that was done, with a way to undo it. */
export interface Toast {
  readonly words: string
  /** If it returns a promise that fails, the window says why. */
  readonly undo: (() => unknown) | null
  /**
   * The change that it tells of, unless that is done already: once the server refuses it, the toast is no longer true.
   */
  readonly change?: { readonly accountId: string; readonly localId: LocalId } | null
  /** Where the result can be seen, if it is elsewhere. */
  readonly to?: Route
}

/** The window's only toast: a new one replaces the last. */
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

  /** Keeps the toast while somebody looks at it. */
  hold(): void {
    clearTimeout(this.#timer)
  }

  resume(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.current = null), stayMs)
  }

  /** Undoes what was done, while that is possible. */
  undo(): void {
    const undone = Promise.resolve(this.current?.undo?.())
    this.close()
    undone.catch((error: unknown) => this.failed(error))
  }

  /** Goes to where the result can be seen. */
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
