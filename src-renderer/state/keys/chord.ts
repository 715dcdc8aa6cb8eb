import { t } from '../../../src-shared/texts/texts.ts'

/** The fields of a keyboard event that say which keys are pressed. */
export type KeyFacts = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'getModifierState'>>

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

const asciiSign = /^[!-/:-@[-`{-~]$/

/**
 * The pressed key combination in the notation of shortcuts: "Ctrl+Shift+L", "C", "?", "ArrowDown". Null for a modifier
 * alone, and for a letter typed with AltGr.
 * A letter key counts by its letter if that is Latin, so that shortcuts work on every Latin layout; otherwise it
 * counts by its position on the keyboard. ⌘ counts as Ctrl. Symbols already include their Shift and AltGr.
 */
export function chordOf(event: KeyFacts): string | null {
  if (isTypedByAltGr(event)) return asciiSign.test(event.key) ? event.key : null
  if (bare.has(event.key) && !/^(Key|Digit)/.test(event.code)) return null
  const base = baseOf(event)
  return base === null ? null : withModifiers(event, base)
}

function withModifiers({ ctrlKey, metaKey, altKey, shiftKey }: KeyFacts, base: string): string {
  const isSign = base.length === 1 && !/[A-Z0-9]/.test(base)
  return [
    ctrlKey || metaKey ? 'Ctrl+' : '',
    altKey ? 'Alt+' : '',
    shiftKey && !isSign ? 'Shift+' : '',
    base,
  ].join('')
}

/** Whether the key types a character, or begins one, with the help of AltGr. */
function isTypedByAltGr(event: KeyFacts): boolean {
  const { key, code, ctrlKey, altKey, shiftKey } = event
  if (isNamed(key) && key !== 'Dead') return false
  if (event.getModifierState?.('AltGraph') === true) return true
  // So does the Option key of a Mac, which has no AltGr.
  if (hasMacKeys() && altKey && !ctrlKey && asciiSign.test(key)) return true
  // Some systems report AltGr as Ctrl and Alt. A key with both that types what it has without them is a shortcut.
  const isUsual = /^[a-z0-9 ]$/i.test(key) || (shiftKey ? shiftedSigns : signs)[code] === key
  return ctrlKey && altKey && !isUsual && isLatin(event) !== false
}

/** Whether the keyboard layout has Latin letters, as far as one key tells; null for a key that does not tell. */
export function isLatin({ key, shiftKey }: KeyFacts): boolean | null {
  if (!/^\p{L}$/u.test(key)) return null
  if (!/^\p{Script=Latin}$/u.test(key)) return false
  // With Shift, a Hebrew layout types Latin capitals.
  return shiftKey ? null : true
}

/**
 * The same, by position, for a key that types a symbol: a letter key, as Greek has its question mark at Q, and with Ctrl
 * a digit key, as French has its digits only with Shift. Null for other keys.
 */
export function chordByPlace(event: KeyFacts): string | null {
  const { key, code, ctrlKey, metaKey } = event
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const digit = ctrlKey || metaKey ? /^Digit(\d)$/.exec(code)?.[1] : undefined
  const base = letter ?? digit
  return base === undefined || !asciiSign.test(key) ? null : withModifiers(event, base)
}

/**
 * The same for a digit key without Shift, as the digit shortcuts count by position: Czech has + where other layouts have
 * 1, and French has - at 6, but nobody zooms with those.
 */
export const digitByPlace = (event: KeyFacts): string | null =>
  event.shiftKey || !event.code.startsWith('Digit') ? null : chordByPlace(event)

/** Whether a key has a name instead of a character. Some Arabic keys type two letters at once. */
const isNamed = (key: string): boolean => /^[A-Z][A-Za-z0-9]+$/.test(key)

function baseOf({ key, code, shiftKey }: KeyFacts): string | null {
  if (key === ' ') return 'Space'
  if (isNamed(key) && !bare.has(key)) return key
  if (/^[!-~]$/.test(key)) return key.toUpperCase()
  // A digit or letter of another script.
  const place = /^(?:Digit|Numpad|Key)([A-Z0-9])$/.exec(code)?.[1]
  return place ?? (shiftKey ? shiftedSigns : signs)[code] ?? null
}

/** Whether it makes the system paste plain text. On a Mac, Option belongs to that. */
export const pastesPlain = (event: KeyFacts): boolean => /^Ctrl\+(Alt\+)?Shift\+V$/.test(chordOf(event) ?? '')

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
