import { endSide } from '../state/direction.ts'

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
 * edge where it left. A row moves away when others come, and leaves the document once it is far enough. Of what is wider
 * than `widest`, which would leave no room beside it, the beginning counts.
 */
export function anchorInView(element: HTMLElement, widest = Infinity) {
  let last = element.getBoundingClientRect()
  return {
    // Its scrolling is what the place has to follow.
    contextElement: element,
    getBoundingClientRect(): DOMRect {
      if (element.isConnected) last = element.getBoundingClientRect()
      const { height } = last
      const width = Math.min(last.width, widest)
      const start = endSide() === 'right' ? last.left : last.right - width
      const left = Math.max(0, Math.min(start, innerWidth - width))
      const top = Math.max(0, Math.min(last.top, innerHeight - height))
      return new DOMRect(left, top, width, height)
    },
  }
}
