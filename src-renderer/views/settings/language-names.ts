import { languages, t } from '../../../src-shared/texts/texts.ts'

/** The languages that people speak, with the name that each calls itself by. */
export const offeredLanguages = { en: languages.en, de: languages.de }

/** "Deutsch"; one that Dunlin does not speak is named in the one that it speaks. Any text may come from a server. */
export function languageName(tag: string): string {
  const own = Object.entries(offeredLanguages).find(([name]) => name === tag)?.[1]
  if (own !== undefined) return own
  try {
    return new Intl.DisplayNames(t.locale, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
