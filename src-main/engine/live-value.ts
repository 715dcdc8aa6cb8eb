/** A value in memory that windows can watch like a query. */
export class LiveValue<T> {
  #current: T
  #json: string
  readonly #watchers = new Set<(json: string) => void>()

  constructor(initial: T) {
    this.#current = initial
    this.#json = JSON.stringify(initial)
  }

  get current(): T {
    return this.#current
  }

  /** Sets the value and notifies the watchers if it differs from the last one. */
  set(value: T): void {
    this.#current = value
    const json = JSON.stringify(value)
    if (json === this.#json) return
    this.#json = json
    for (const watcher of [...this.#watchers]) watcher(json)
  }

  /** Calls `update` now and after every change; returns a function that ends it. */
  watch(update: (json: string) => void): () => void {
    update(this.#json)
    this.#watchers.add(update)
    return () => this.#watchers.delete(update)
  }
}
