import { chordByPlace, chordOf, isLatin, isSingleKey, worksWhileTyping, type KeyFacts } from './chord.ts'
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
  /** Of the layout, by the letters that were pressed. */
  #writesLatin = true
  readonly #names = $derived(
    new Map<string, ShortcutName>(
      shortcuts.flatMap((shortcut) =>
        keysOf(shortcut, this.#chosen).map((chord) => [`${shortcut.place} ${chord}`, shortcut.name] as const),
      ),
    ),
  )

  /** Takes over what the person chose on this device. */
  use(settings: { readonly shortcuts: ChosenKeys; readonly singleKeys: boolean }): void {
    this.#chosen = settings.shortcuts
    this.#singleKeys = settings.singleKeys
  }

  get chosen(): ChosenKeys {
    return this.#chosen
  }

  /** The keys of a shortcut that do something, as things are. */
  keysOf(name: ShortcutName): readonly string[] {
    const shortcut = shortcuts.find((one) => one.name === name)
    return shortcut === undefined
      ? []
      : keysOf(shortcut, this.#chosen).filter((chord) => this.#acts(chord, shortcut.place))
  }

  /** What the pressed keys mean in a place; null when they mean nothing there, or belong to a text. */
  nameOf<P extends ShortcutPlace>(
    event: KeyFacts & { readonly target: EventTarget | null },
    place: P,
  ): ShortcutOf<P> | null {
    const chord = chordOf(event)
    if (chord === null) return null
    const isHeard =
      place === 'compose' || (place === 'window' && (worksWhileTyping(chord) || chord === 'Escape'))
    return !isHeard && takes(event.target, chord) ? null : this.nameOfKeys(event, place)
  }

  /** The same for keys that surely belong to no text. */
  nameOfKeys<P extends ShortcutPlace>(event: KeyFacts, place: P): ShortcutOf<P> | null {
    const chord = chordOf(event)
    if (chord === null || !this.#acts(chord, place)) return null
    this.#writesLatin = isLatin(event) ?? this.#writesLatin
    const name = this.#names.get(`${place} ${chord}`) ?? this.#nameByPlace(event, chord, place)
    // The map holds the names of a place under that place.
    return (name as ShortcutOf<P> | undefined) ?? null
  }

  #acts(chord: string, place: ShortcutPlace): boolean {
    return this.#singleKeys || place === 'compose' || !isSingleKey(chord)
  }

  /** On a layout of other letters, a sign that means nothing anywhere stands for the letter at its place. */
  #nameByPlace(event: KeyFacts, chord: string, place: ShortcutPlace): ShortcutName | undefined {
    if (this.#writesLatin || [...this.#names.keys()].some((key) => key.endsWith(` ${chord}`)))
      return undefined
    return this.#names.get(`${place} ${chordByPlace(event)}`)
  }
}

/** Whether what has the focus has keys of its own: a text, a choice, a slider. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Whether letters mean nothing to what has the focus, as to a switch, one of several choices or a slider. */
const takesNoLetters = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && /^(radio|checkbox|range)$/.test(target.type)

/** Whether what is pressed is written there. */
export const isWriting = (target: EventTarget | null): boolean =>
  isTyping(target) && !takesNoLetters(target) && !(target instanceof HTMLSelectElement)

/** Whether a key means something to what has the focus: letters to a text and a list, what moves it to a choice. */
const takes = (target: EventTarget | null, chord: string): boolean =>
  isTyping(target) && (!takesNoLetters(target) || chord.replace(/^Shift\+/, '').length > 1)

export const keyBindings = new KeyBindings()
