const sheet = () => document.querySelector<HTMLElement>('main')
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** Whether nothing in particular has the focus: the page, or the sheet on which it rests. */
export const isResting = (element: Element | null): boolean =>
  element === null || element === document.body || element === sheet()

/** Lets the focus rest on the sheet, from where a screen reader and the Tab key go on. */
export const restFocus = (): void => sheet()?.focus({ preventScroll: true })

/**
 * Sees to it that the focus is never lost to the page when what had it goes: a row, a dialog, a view. It rests on the
 * sheet then, unless something has taken it meanwhile. Works until the returned function is called.
 */
export function keepFocus(): () => void {
  const keep = () => {
    // Whoever closes something gives the focus back a moment later.
    setTimeout(() => {
      if (document.activeElement !== document.body || document.querySelector(overlay) !== null) return
      restFocus()
    }, 50)
  }
  addEventListener('focusout', keep)
  addEventListener('hashchange', keep)
  addEventListener('keyup', keep)
  return () => {
    removeEventListener('focusout', keep)
    removeEventListener('hashchange', keep)
    removeEventListener('keyup', keep)
  }
}
