import { languages, t } from '../../../src-shared/texts/texts.ts'

/** The languages that are offered, under their own names. */
export const offeredLanguages = { en: languages.en, de: languages.de }

/**
 * "Deutsch" for a language that Dunlin has; other languages are named in the window's language. Any text may come from
 * a server.
 */
export function languageName(tag: string): string {
  const own = Object.entries(offeredLanguages).find(([name]) => name === tag)?.[1]
  if (own !== undefined) return own
  try {
    return new Intl.DisplayNames(t.locale, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
