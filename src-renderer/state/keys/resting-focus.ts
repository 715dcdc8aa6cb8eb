const sheet = () => document.querySelector<HTMLElement>('main')
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** Whether no particular element has the focus: only the page, or the sheet on which the focus rests. */
export const isResting = (element: Element | null): boolean =>
  element === null || element === document.body || element === sheet()

/** Whether a dialog or menu is open, which has the focus or is about to take it. */
export const isCovered = (): boolean => document.querySelector(overlay) !== null

/** Moves the focus to the sheet, from which screen readers and the Tab key continue. */
export const restFocus = (): void => sheet()?.focus({ preventScroll: true })

/**
 * Prevents the focus from falling back to the page when the focused element (a row, a dialog, a view) disappears. The
 * focus then rests on the sheet, unless something else has taken it. Works until the returned function is called.
 */
export function keepFocus(): () => void {
  const keep = () => {
    // Code that closes something restores the focus a moment later.
    setTimeout(() => {
      if (document.activeElement !== document.body || isCovered()) return
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
