/**
 * Where something hangs that opens over the window: on the first of the elements that is shown, looked for anew each
 * time it is placed. A window that becomes narrower folds a button away while what it opened is still there.
 */
export const shownAnchor = (elements: () => readonly (HTMLElement | null)[]) => ({
  getBoundingClientRect(): DOMRect {
    const all = elements().filter((element) => element !== null)
    const shown = all.find(({ offsetParent }) => offsetParent !== null) ?? all.at(-1)
    return shown?.getBoundingClientRect() ?? new DOMRect()
  },
})

/**
 * Where something hangs that opens beside a row of a list: on the row as long as that is in the window, else at the
 * edge where it left. A row moves away when others come, and leaves the document once it is far enough.
 */
export function anchorInView(element: HTMLElement) {
  let last = element.getBoundingClientRect()
  return {
    // Its scrolling is what the place has to follow.
    contextElement: element,
    getBoundingClientRect(): DOMRect {
      if (element.isConnected) last = element.getBoundingClientRect()
      const { width, height } = last
      const left = Math.max(0, Math.min(last.left, innerWidth - width))
      const top = Math.max(0, Math.min(last.top, innerHeight - height))
      return new DOMRect(left, top, width, height)
    },
  }
}
