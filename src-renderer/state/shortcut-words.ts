import { t } from '../../src-shared/texts/texts.ts'
import { hasMacKeys, keyCaps } from './chord.ts'
import { keyBindings } from './key-bindings.svelte.ts'
import { keysOf, shortcuts, type ShortcutName } from './shortcuts.ts'

/** What a button does, with the keys that do it too, as they are now; alone where there are none. */
export function withKeys(words: string, name: ShortcutName | undefined): string {
  const shortcut = shortcuts.find((one) => one.name === name)
  const chord = shortcut === undefined ? undefined : keysOf(shortcut, keyBindings.chosen)[0]
  return chord === undefined ? words : t.shared.withKeys(words, keyCaps(chord, hasMacKeys()).join(' '))
}
