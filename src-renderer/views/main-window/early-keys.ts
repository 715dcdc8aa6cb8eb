/**
 * Captures the keys for a field that is still loading, until the returned function is called. `typed` receives the text
 * so far after each letter; Esc means that the person no longer wants the field.
 */
export function gatherKeys(typed: (text: string) => void, onEscape: () => void): () => void {
  let text = ''
  const onKey = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Escape') onEscape()
    else if (event.key === 'Backspace') typed((text = text.slice(0, -1)))
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) typed((text += event.key))
  }
  addEventListener('keydown', onKey, { capture: true })
  return () => removeEventListener('keydown', onKey, { capture: true })
}
