const named: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
  '+': 'Plus',
}

/** Names of keys that a menu shows as they are. */
const shown =
  /^(?:[A-Z0-9]|F\d{1,2}|[!-/:-@[-`{-~]|Space|Tab|Enter|Backspace|Delete|Home|End|PageUp|PageDown)$/

/**
 * A shortcut's keys, "Ctrl+Shift+F", as a menu names them: "CommandOrControl+Shift+F"; null for keys that a menu cannot
 * name.
 */
export function acceleratorOf(chord: string): string | null {
  const [, modifiers = '', key = ''] = /^((?:(?:Ctrl|Alt|Shift)\+)*)(.+)$/.exec(chord) ?? []
  const name = named[key] ?? (shown.test(key) ? key : null)
  return name === null ? null : `${modifiers.replace('Ctrl', 'CommandOrControl')}${name}`
}

/** The page's own keys for finding, unless the person chose others. */
const usualFindKeys = ['Ctrl+F']
const isSingleKey = (chord: string) => /^(?:Shift\+)?(?:[^+]|\+|Space)$/.test(chord)

/** The first of the page's keys for finding that works on this device, as the page writes it; null for none. */
export function findKeysOf(device: {
  readonly shortcuts: Readonly<Record<string, readonly string[]>>
  readonly singleKeys: boolean
}): string | null {
  const keys = device.shortcuts['find'] ?? usualFindKeys
  return keys.find((chord) => device.singleKeys || !isSingleKey(chord)) ?? null
}
