/**
 * The plural forms of a text; `#` stands for the number itself. Names, which may contain a `#`, are placed beside a
 * form and never inside it. Each language names the plural categories that it has.
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

/**
 * Uses the platform's rules for the language (`Intl`, from CLDR). `locale` is a BCP 47 tag, and `group` separates the
 * thousands of a number. The platform takes several milliseconds to load each kind of rule, so a rule is loaded at its
 * first use. Whole numbers are written without rules, so that a window can paint before any are loaded.
 */
export function grammarOf(locale: string, group: string): Grammar {
  let rules: Intl.PluralRules | null = null
  let numbers: Intl.NumberFormat | null = null
  let lists: Intl.ListFormat | null = null
  const number = (value: number) =>
    Number.isSafeInteger(value) && value >= 0
      ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, group)
      : (numbers ??= new Intl.NumberFormat(locale)).format(value)
  return {
    number,
    plural: (count, forms) =>
      (forms[(rules ??= new Intl.PluralRules(locale)).select(count)] ?? forms.other).replaceAll(
        '#',
        number(count),
      ),
    list: (items) => (lists ??= new Intl.ListFormat(locale, { type: 'conjunction' })).format(items),
  }
}
