import { endSide } from '../state/keys/direction.ts'

/**
 * The anchor of a popover: the first of the elements that is visible, determined anew on each positioning. A window
 * that becomes narrower may fold away the button while its popover is open.
 */
export const shownAnchor = (elements: () => readonly (HTMLElement | null)[]) => ({
  getBoundingClientRect(): DOMRect {
    const all = elements().filter((element) => element !== null)
    const shown = all.find(({ offsetParent }) => offsetParent !== null) ?? all.at(-1)
    return shown?.getBoundingClientRect() ?? new DOMRect()
  },
})

/**
 * The anchor of a popover beside a row of a list: the row while it is in the window, otherwise the edge at which it
 * left. A row moves when others arrive, and leaves the document once it is far enough away. Of an element wider than
 * `widest`, only the beginning counts, so that there is room beside it.
 */
export function anchorInView(element: HTMLElement, widest = Infinity) {
  let last = element.getBoundingClientRect()
  return {
    // The library follows the scrolling of this element's ancestors.
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
