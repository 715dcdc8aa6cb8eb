/**
 * The forms a sentence takes for a number; `#` stands for the number itself, so that names of things, which may hold one,
 * stand beside a form and never in it. Languages name those they have.
 */
export type PluralForms = { readonly [F in Intl.LDMLPluralRule]?: string } & { readonly other: string }

/** How one language counts and lists. */
export interface Grammar {
  /** "12,480". */
  number(value: number): string
  /** The form for this number, the number in it: "1 message", "12,480 messages". */
  plural(count: number, forms: PluralForms): string
  /** "Ann, Ben and Cleo". */
  list(items: readonly string[]): string
}

/** By the rules that the platform has for the language (CLDR); `locale` is a BCP 47 tag. */
export function grammarOf(locale: string): Grammar {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  const number = (value: number) => numbers.format(value)
  return {
    number,
    plural: (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll('#', number(count)),
    list: (items) => lists.format(items),
  }
}
