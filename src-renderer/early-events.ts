import { flushSync } from 'svelte'
import { isTyping } from './state/key-bindings.svelte.ts'

declare global {
  /** Put there by `early.js`: what was pressed since the page came, in order; nothing is kept from then on. */
  var takeEarlyEvents: (() => readonly Event[]) | undefined
}

/** What the browser does by itself when it is pressed, without any script. */
const lived = 'a[href], input, textarea, select, label, summary'

/**
 * Does what was pressed on the first picture before the window had taken it over, in the order in which it was
 * pressed. What a person wrote into a field of the picture is in it already, and links have led where they lead.
 */
export function replayEarlyEvents(): void {
  for (const event of globalThis.takeEarlyEvents?.() ?? []) {
    // Each may depend on what the one before has changed.
    flushSync()
    replay(event)
  }
}

function replay(event: Event): void {
  const { target } = event
  if (!(target instanceof Element)) return
  if (event instanceof KeyboardEvent) {
    if (isTyping(target) && event.key.length === 1) return
    // What came before may have moved the focus, which the keys would have followed.
    const isNowhere = target === document.body || target === document.documentElement
    const place = isNowhere ? (document.activeElement ?? target) : target
    const goesOn = place.dispatchEvent(new KeyboardEvent(event.type, event))
    const isWord = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    // Keys that a script sends write nothing.
    if (goesOn && isWord && isTyping(place)) document.execCommand('insertText', false, event.key)
    return
  }
  if (!target.isConnected || target.closest(lived) !== null) return
  // A pointer's event has all that such events are made from, and more than its type says.
  if (event instanceof PointerEvent) target.dispatchEvent(new PointerEvent(event.type, event))
}
