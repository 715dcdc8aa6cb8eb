import {
  chordByPlace,
  chordOf,
  digitByPlace,
  hasMacKeys,
  isLatin,
  isSingleKey,
  worksWhileTyping,
  type KeyFacts,
} from './chord.ts'
import {
  keysOf,
  shortcuts,
  type ChosenKeys,
  type ShortcutName,
  type ShortcutOf,
  type ShortcutPlace,
} from './shortcuts.ts'

/** Which keys do what in this window. */
class KeyBindings {
  #chosen = $state.raw<ChosenKeys>({})
  #singleKeys = $state(true)
  /** Whether the layout has Latin letters, judged by the letters pressed so far. */
  #writesLatin = true
  readonly #names = $derived(
    new Map<string, ShortcutName>(
      shortcuts.flatMap((shortcut) =>
        keysOf(shortcut, this.#chosen).map((chord) => [`${shortcut.place} ${chord}`, shortcut.name] as const),
      ),
    ),
  )

  /** Adopts the keys that the person chose on this device. */
  use(settings: { readonly shortcuts: ChosenKeys; readonly singleKeys: boolean }): void {
    this.#chosen = settings.shortcuts
    this.#singleKeys = settings.singleKeys
  }

  get chosen(): ChosenKeys {
    return this.#chosen
  }

  /** The keys of a shortcut that currently work. */
  keysOf(name: ShortcutName): readonly string[] {
    const shortcut = shortcuts.find((one) => one.name === name)
    return shortcut === undefined
      ? []
      : keysOf(shortcut, this.#chosen).filter((chord) => this.#acts(chord, shortcut.place))
  }

  /** The shortcut of the pressed keys in a place; null if they have none there, or if a text field takes them. */
  nameOf<P extends ShortcutPlace>(
    event: KeyFacts & { readonly target: EventTarget | null },
    place: P,
  ): ShortcutOf<P> | null {
    const chord = chordOf(event)
    if (chord === null) return null
    const isHeard =
      place === 'compose' ||
      (place === 'window' && ((worksWhileTyping(chord) && !movesByWord(chord)) || chord === 'Escape'))
    return !isHeard && takes(event.target, chord) ? null : this.nameOfKeys(event, place)
  }

  /** The same for keys that certainly belong to no text field. */
  nameOfKeys<P extends ShortcutPlace>(event: KeyFacts, place: P): ShortcutOf<P> | null {
    const chord = chordOf(event)
    if (chord === null || !this.#acts(chord, place)) return null
    this.#writesLatin = isLatin(event) ?? this.#writesLatin
    const digit = digitByPlace(event)
    const name =
      (digit === null ? undefined : this.#names.get(`${place} ${digit}`)) ??
      this.#names.get(`${place} ${chord}`) ??
      this.#nameByPlace(event, chord, place)
    // The map stores the names of a place under that place.
    return (name as ShortcutOf<P> | undefined) ?? null
  }

  /**
   * Whether the pressed keys close what is being written: Esc, and Ctrl+[ unless the person chose it for something else
   * than going back, which it does outside of fields.
   */
  closesBox(event: KeyFacts): boolean {
    if (event.key === 'Escape') return true
    if (chordOf(event) !== 'Ctrl+[' || this.nameOfKeys(event, 'compose') !== null) return false
    const name = this.nameOfKeys(event, 'window')
    return name === null || name === 'back'
  }

  #acts(chord: string, place: ShortcutPlace): boolean {
    return this.#singleKeys || place === 'compose' || !isSingleKey(chord)
  }

  /**
   * A symbol that is no shortcut counts as the key at its position: the letter if the layout has no Latin letters, and
   * with Ctrl the digit.
   */
  #nameByPlace(event: KeyFacts, chord: string, place: ShortcutPlace): ShortcutName | undefined {
    const byPlace = chordByPlace(event)
    if (byPlace === null) return undefined
    const isLetter = event.code.startsWith('Key')
    if (isLetter && (this.#writesLatin || [...this.#names.keys()].some((key) => key.endsWith(` ${chord}`))))
      return undefined
    return this.#names.get(`${place} ${byPlace}`)
  }
}

/** Whether it moves the caret by a word in a text field. */
const movesByWord = (chord: string): boolean => hasMacKeys() && /^Alt\+(Shift\+)?Arrow/.test(chord)

/** Whether the focused element handles keys itself: a text field, a selection, a slider. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Whether the focused element ignores letters, as a switch, a radio button or a slider does. */
const takesNoLetters = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && /^(radio|checkbox|range)$/.test(target.type)

/** Whether keys are typed into the focused element. */
export const isWriting = (target: EventTarget | null): boolean =>
  isTyping(target) && !takesNoLetters(target) && !(target instanceof HTMLSelectElement)

/**
 * Whether the focused element handles a key: text fields and lists handle letters, selections the keys that move them.
 */
const takes = (target: EventTarget | null, chord: string): boolean =>
  isTyping(target) && (!takesNoLetters(target) || chord.replace(/^Shift\+/, '').length > 1)

export const keyBindings = new KeyBindings()
