import { grammarOf } from '../grammar.ts'

/** BCP 47, for dates and numbers. */
export const locale = 'en-GB'
export const { number, plural, list } = grammarOf(locale, ',')
