import { flushSync } from 'svelte'
import { isTyping } from './state/keys/key-bindings.svelte.ts'

declare global {
  /** Defined by `early.js`. Returns the events since the page was loaded, in order, and stops recording. */
  var takeEarlyEvents: (() => readonly Event[]) | undefined
}

/** Elements for which the browser acts by itself, without any script. */
const lived = 'a[href], input, textarea, select, label, summary'

/**
 * Replays what a person pressed on the first picture before the window took it over, in order. Text typed into a field
 * of the picture is in it already, and links were followed.
 */
export function replayEarlyEvents(): void {
  for (const event of globalThis.takeEarlyEvents?.() ?? []) {
    // Each event may depend on what the previous one changed.
    flushSync()
    replay(event)
  }
}

function replay(event: Event): void {
  const { target } = event
  if (!(target instanceof Element)) return
  if (event instanceof KeyboardEvent) {
    if (isTyping(target) && event.key.length === 1) return
    // An earlier event may have moved the focus, which the keys would have followed.
    const isNowhere = target === document.body || target === document.documentElement
    const place = isNowhere ? (document.activeElement ?? target) : target
    const goesOn = place.dispatchEvent(new KeyboardEvent(event.type, event))
    const isWord = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    // Key events from a script insert no text.
    if (goesOn && isWord && isTyping(place)) document.execCommand('insertText', false, event.key)
    return
  }
  if (!target.isConnected || target.closest(lived) !== null) return
  // A pointer event can be copied, because it has all fields that its constructor reads, whatever its type.
  if (event instanceof PointerEvent) target.dispatchEvent(new PointerEvent(event.type, event))
}
