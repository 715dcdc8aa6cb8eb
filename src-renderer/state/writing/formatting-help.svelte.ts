/** The help on formatting messages. The window has one, whoever asks for it. */
class FormattingHelp {
  isOpen = $state(false)
  #returnFocus = () => {}

  /** Opens it. `returnFocus` returns the focus once the person closes it; by default to where it is now. */
  open(returnFocus?: () => void): void {
    const before = document.activeElement
    this.#returnFocus =
      returnFocus ?? (() => before instanceof HTMLElement && before.focus({ preventScroll: true }))
    this.isOpen = true
  }

  close(): void {
    this.isOpen = false
    // Once the dialog is gone, which keeps the focus in itself.
    requestAnimationFrame(() => this.#returnFocus())
  }

  /** Closes it because the person goes elsewhere. */
  leave(): void {
    this.isOpen = false
  }
}

export const formattingHelp = new FormattingHelp()
