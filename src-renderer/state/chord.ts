import { t } from '../../src-shared/texts/texts.ts'

/** What of a keyboard event says which keys are pressed. */
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
/** The signs of the keys that are neither letters nor digits, on the keyboard that the codes are named after. */
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
 * The keys that are pressed together, as shortcuts are written: "Ctrl+Shift+L", "C", "?", "ArrowDown". Null for a
 * modifier alone. Letters count by what they write where that is Latin, so that every Latin layout has its own; by
 * their place on the keyboard otherwise. ⌘ counts as Ctrl. Signs hold their Shift already.
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

/** Whether the layout has Latin letters, as far as one key tells; null for a key that writes no letter. */
export function isLatin({ key }: KeyFacts): boolean | null {
  return /^\p{L}$/u.test(key) ? /^\p{Script=Latin}$/u.test(key) : null
}

/** The same keys where a letter's key writes a sign, as Greek has its question mark at Q: by place. Null elsewhere. */
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
  // Shift turns a digit into a sign that differs by layout; with Ctrl the place is what is meant.
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (/^[0-9]$/.test(key)) return key
  if (/^[!-~]$/.test(key)) return key
  return digit ?? /^Key([A-Z])$/.exec(code)?.[1] ?? (shiftKey ? shiftedSigns : signs)[code] ?? null
}

/** Whether it writes something when a text has the focus, so that it can only be a shortcut elsewhere. */
export const isSingleKey = (chord: string): boolean => /^(Shift\+)?([^+]|\+|Space)$/.test(chord)

/** Whether it may act while a text has the focus. */
export const worksWhileTyping = (chord: string): boolean => /^(Ctrl|Alt)\+/.test(chord) || /F\d+$/.test(chord)

const arrows: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** What is written on a key. */
function capOf(key: string): string {
  const named: Readonly<Record<string, string>> = t.shortcuts.keys
  return arrows[key] ?? named[key] ?? key
}

/** Whether this computer's keys are named as a Mac's are. */
export const hasMacKeys = (): boolean => /mac/i.test(navigator.userAgent)

/** What is written on the keys of a chord, in a line: "Ctrl Shift L". */
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
