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
