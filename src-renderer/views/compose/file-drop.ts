interface FileDrop {
  /** Whether files are being dragged over the area. */
  over(isOver: boolean): void
  dropped(files: readonly File[]): void
}

/**
 * Takes the files that are dropped on an area of the window, unless an area inside it takes them or they are dropped on
 * something that lies over the window. Returns a function that ends it.
 */
export function takeDroppedFiles(area: HTMLElement | Document, { over, dropped }: FileDrop): () => void {
  const ended = new AbortController()
  const takes = ({ dataTransfer, target, defaultPrevented }: DragEvent): boolean =>
    !defaultPrevented &&
    dataTransfer?.types.includes('Files') === true &&
    !(target instanceof Element && target.closest('#overlays') !== null)
  const on = (type: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
    area.addEventListener(type, (event) => handle(event as DragEvent), { signal: ended.signal })

  on('dragover', (event) => {
    const isTaken = takes(event)
    over(isTaken)
    if (isTaken) event.preventDefault()
  })
  on('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) over(false)
  })
  on('drop', (event) => {
    over(false)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (!takes(event) || files.length === 0) return
    event.preventDefault()
    dropped(files)
  })
  return () => ended.abort()
}
