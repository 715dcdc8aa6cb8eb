import { t } from '../../src-shared/texts/texts.ts'

/** The fields of a keyboard event that say which keys are pressed. */
export type KeyFacts = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

const bare = new Set([
  'Control',
  'Shift',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
])
/** The symbols on keys that are neither letters nor digits, on the keyboard after which the codes are named. */
const signs: Readonly<Record<string, string>> = {
  BracketLeft: '[',
  BracketRight: ']',
  Comma: ',',
  Period: '.',
  Slash: '/',
  Quote: "'",
  Semicolon: ';',
  Minus: '-',
  Equal: '=',
}

/** The same keys with Shift. */
const shiftedSigns: Readonly<Record<string, string>> = {
  BracketLeft: '{',
  BracketRight: '}',
  Comma: '<',
  Period: '>',
  Slash: '?',
  Quote: '"',
  Semicolon: ':',
  Minus: '_',
  Equal: '+',
}

/**
 * The pressed key combination in the notation of shortcuts: "Ctrl+Shift+L", "C", "?", "ArrowDown". Null for a modifier
 * alone.
 * A letter key counts by its letter if that is Latin, so that shortcuts work on every Latin layout; otherwise it
 * counts by its position on the keyboard. ⌘ counts as Ctrl. Symbols already include their Shift.
 */
export function chordOf(event: KeyFacts): string | null {
  if (bare.has(event.key) && !/^(Key|Digit)/.test(event.code)) return null
  const base = baseOf(event)
  if (base === null) return null
  const isSign = base.length === 1 && !/[A-Z0-9]/.test(base)
  const hasCtrl = event.ctrlKey || event.metaKey
  return [
    hasCtrl ? 'Ctrl+' : '',
    event.altKey ? 'Alt+' : '',
    event.shiftKey && !isSign ? 'Shift+' : '',
    base,
  ].join('')
}

/** Whether the keyboard layout has Latin letters, as far as one key tells; null for a key that types no letter. */
export function isLatin({ key }: KeyFacts): boolean | null {
  return /^\p{L}$/u.test(key) ? /^\p{Script=Latin}$/u.test(key) : null
}

/**
 * The same, by position, for a letter key that types a symbol, as Greek has its question mark at Q. Null for other
 * keys.
 */
export function chordByPlace(event: KeyFacts): string | null {
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]
  return letter === undefined || !/^[!-/:-@[-`{-~]$/.test(event.key)
    ? null
    : chordOf({ ...event, key: letter })
}

function baseOf({ key, code, shiftKey }: KeyFacts): string | null {
  if (key === ' ') return 'Space'
  if (key.length > 1 && !bare.has(key)) return key
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  // Shift turns a digit into a symbol that depends on the layout; with Ctrl, the key's position is meant.
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (/^[0-9]$/.test(key)) return key
  if (/^[!-~]$/.test(key)) return key
  return digit ?? /^Key([A-Z])$/.exec(code)?.[1] ?? (shiftKey ? shiftedSigns : signs)[code] ?? null
}

/** Whether it types a character in a text field, so that it is a shortcut only elsewhere. */
export const isSingleKey = (chord: string): boolean => /^(Shift\+)?([^+]|\+|Space)$/.test(chord)

/** Whether it may act while a text field has the focus. */
export const worksWhileTyping = (chord: string): boolean => /^(Ctrl|Alt)\+/.test(chord) || /F\d+$/.test(chord)

const arrows: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** The label of a key. */
function capOf(key: string): string {
  const named: Readonly<Record<string, string>> = t.shortcuts.keys
  return arrows[key] ?? named[key] ?? key
}

/** Whether this computer's keys have a Mac's labels. */
export const hasMacKeys = (): boolean => /mac/i.test(navigator.userAgent)

/** The labels of a chord's keys, in a line: "Ctrl Shift L". */
export const keyWords = (chord: string): string => keyCaps(chord, hasMacKeys()).join(' ')

/** The key caps of a chord, in order. */
export function keyCaps(chord: string, isMac: boolean): string[] {
  const parts = /^((?:Ctrl\+)?)((?:Alt\+)?)((?:Shift\+)?)(.+)$/.exec(chord)
  if (parts === null) return [chord]
  const [, ctrl, alt, shift, base = ''] = parts
  return [
    ...(ctrl === '' ? [] : [isMac ? '⌘' : capOf('Ctrl')]),
    ...(alt === '' ? [] : [isMac ? '⌥' : capOf('Alt')]),
    ...(shift === '' ? [] : [isMac ? '⇧' : capOf('Shift')]),
    capOf(base),
  ]
}
