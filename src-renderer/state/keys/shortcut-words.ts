import { t } from '../../../src-shared/texts/texts.ts'
import { hasMacKeys, keyCaps } from './chord.ts'
import { keyBindings } from './key-bindings.svelte.ts'
import type { ShortcutName } from './shortcuts.ts'

/**
 * The current keys of a shortcut in words; those of the first place, unless another is named; undefined if there are
 * none.
 */
export function chordOf(name: ShortcutName | undefined, place = 0): string | undefined {
  return name === undefined ? undefined : keyBindings.keysOf(name)[place]
}

/** The keys of a shortcut for screen readers, in the form of `aria-keyshortcuts`; undefined if there are none. */
export function spokenKeys(name: ShortcutName): string | undefined {
  // A plus sign separates keys there.
  const words = keyBindings
    .keysOf(name)
    .map((chord) => chord.replace(/\+$/, 'Plus').replace(/^Ctrl(?=\+)/, hasMacKeys() ? 'Meta' : 'Control'))
  return words.length === 0 ? undefined : words.join(' ')
}

/** A button's label with its current keys; only the label if there are none. */
export function withKeys(words: string, name: ShortcutName | undefined, place = 0): string {
  const chord = chordOf(name, place)
  return chord === undefined ? words : t.shared.withKeys(words, keyCaps(chord, hasMacKeys()).join(' '))
}
