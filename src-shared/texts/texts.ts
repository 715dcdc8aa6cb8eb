import { en } from './en.ts'

/** A whole catalogue. A language that lacks a text, or asks for other values in it, does not compile. */
export type Texts = typeof en

/** The languages, with the name each calls itself by. The last is nobody's: tests use it (`pseudo.ts`). */
export const languages = { en: 'English', de: 'Deutsch', 'ar-XB': 'Pseudo' } as const

export type Language = keyof typeof languages

const catalogues: { readonly [L in Language]: () => Promise<Texts> } = {
  en: () => Promise.resolve(en),
  de: async () => (await import('./de.ts')).de,
  'ar-XB': async () => (await import('./pseudo.ts')).pseudo,
}

/**
 * The texts of the language that is spoken, English until `speak` was called. Read where they are used, never kept
 * in a constant of a module: that would be made before the language is known.
 */
export let t: Texts = en

/** From now on `t` has the texts of this language; a window that shows others already is loaded again by its caller. */
export async function speak(language: Language): Promise<void> {
  t = await catalogues[language]()
}

/** The first wish (BCP 47 tags, "de-AT" counts as "de") that there is a catalogue of; English when there is none. */
export function languageFor(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const name = Object.keys(languages).find(
      (language) => language === wish || language === wish.toLowerCase().split('-')[0],
    )
    // One of the names of the table above.
    if (name !== undefined) return name as Language
  }
  return 'en'
}
