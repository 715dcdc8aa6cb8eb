import { en } from './en.ts'

/** A whole catalogue. If a language lacks a text, or takes other values in it, it does not compile. */
export type Texts = typeof en

/** The languages, each under its own name. The last one is a pseudo-locale, which tests use (`pseudo.ts`). */
export const languages = { en: 'English', de: 'Deutsch', 'ar-XB': 'Pseudo' } as const

export type Language = keyof typeof languages

const catalogues: { readonly [L in Language]: () => Promise<Texts> } = {
  en: () => Promise.resolve(en),
  de: async () => (await import('./de.ts')).de,
  'ar-XB': async () => (await import('./pseudo.ts')).pseudo,
}

/**
 * The texts of the current language; English until `speak` is called. Read it where a text is used and never store it
 * in a module's constant: that would be evaluated before the language is known.
 */
export let t: Texts = en

/** Sets the language of `t`. The caller reloads a window that already shows texts in another one. */
export async function speak(language: Language): Promise<void> {
  t = await catalogues[language]()
}

/** The first preference (BCP 47 tags; "de-AT" counts as "de") that has a catalogue; English if none has. */
export function languageFor(preferences: readonly string[]): Language {
  for (const preference of preferences) {
    const name = Object.keys(languages).find(
      (language) => language === preference || language === preference.toLowerCase().split('-')[0],
    )
    // One of the names of the table above.
    if (name !== undefined) return name as Language
  }
  return 'en'
}
