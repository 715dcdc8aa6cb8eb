import { t } from '../../src-shared/texts/texts.ts'
import { hasMacKeys, keyCaps } from './chord.ts'
import { keyBindings } from './key-bindings.svelte.ts'
import type { ShortcutName } from './shortcuts.ts'

/** Keys of a shortcut, as they are now, the first unless another place is named; undefined where there are none. */
export function chordOf(name: ShortcutName | undefined, place = 0): string | undefined {
  return name === undefined ? undefined : keyBindings.keysOf(name)[place]
}

/** The keys of a shortcut for those who hear the page, as `aria-keyshortcuts` has them; undefined where there are none. */
export function spokenKeys(name: ShortcutName): string | undefined {
  // A plus sign stands between keys.
  const words = keyBindings
    .keysOf(name)
    .map((chord) => chord.replace(/\+$/, 'Plus').replace(/^Ctrl(?=\+)/, hasMacKeys() ? 'Meta' : 'Control'))
  return words.length === 0 ? undefined : words.join(' ')
}

/** What a button does, with the keys that do it too, as they are now; alone where there are none. */
export function withKeys(words: string, name: ShortcutName | undefined, place = 0): string {
  const chord = chordOf(name, place)
  return chord === undefined ? words : t.shared.withKeys(words, keyCaps(chord, hasMacKeys()).join(' '))
}
