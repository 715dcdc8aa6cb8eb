import { isTyping } from './state/keys/key-bindings.svelte.ts'

/** The code of a key that an input method has taken; some of its keys come before the composition or after its end. */
const takenByInputMethod = 229

/**
 * Keeps the keys of a composition from everything in the window: while a person chooses among the words of an input
 * method, Enter and Esc belong to that choice. Call it before anything else listens for keys.
 */
export function leaveKeysToComposition(): void {
  addEventListener(
    'keydown',
    (event) => {
      // Nothing else tells such a key.
      const isTaken = event.keyCode === takenByInputMethod && isTyping(event.target)
      if (event.isComposing || isTaken) event.stopImmediatePropagation()
    },
    { capture: true },
  )
}
