/** The callback of each watched element. All share one observer, because one per message takes a while to create. */
const told = new WeakMap<Element, () => void>()
let observer: ResizeObserver | null = null

/** Calls back when one of the elements changes its size, and once at first; returns how to stop. */
export function onResize(elements: readonly Element[], changed: () => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const changes of new Set(entries.map(({ target }) => told.get(target)))) changes?.()
  })
  const watching = observer
  for (const element of elements) {
    told.set(element, changed)
    watching.observe(element)
  }
  return () => {
    for (const element of elements) watching.unobserve(element)
  }
}
