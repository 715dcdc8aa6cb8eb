import { en } from './en.ts'
import { grammarOf } from './grammar.ts'
import type { Texts } from './texts.ts'

// The letters of English in forms that nobody types: what stays plain on a screen did not come from the catalogue.
const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const marked = 'áƀćđéƒğĥíĵķĺḿńóƥɋŕśţúṽŵẋýžÁƁĆĐÉƑĞĤÍĴĶĹḾŃÓƤɊŔŚŢÚṼŴẊÝŽ'
const letters = new Map([...plain].map((letter, at) => [letter, [...marked][at] ?? letter]))

/** Where a given value (a name, a number) stands in a text: it is nobody's to translate. */
const given = /\u2068[^\u2069]*\u2069/

/** A third longer, as German and Finnish are, and in brackets, so that a text that is cut shows it. */
function disguise(text: string): string {
  if (!/\p{L}/u.test(text)) return text
  const words = text
    .split(new RegExp(`(${given.source})`))
    .map((part, at) =>
      at % 2 === 1 ? part : [...part].map((letter) => letters.get(letter) ?? letter).join(''),
    )
    .join('')
  return `[${words}${'·'.repeat(Math.ceil(text.length / 3))}]`
}

/** Marks a given value, so that it comes through as it is. */
function isolated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(isolated)
  return typeof value === 'string' ? `\u2068${value}\u2069` : value
}

function disguised(value: unknown): unknown {
  if (typeof value === 'string') return disguise(value)
  if (typeof value === 'function') {
    // Called as the English text is; what it gives is disguised in turn.
    return (...args: unknown[]) => disguised(Reflect.apply(value, undefined, args.map(isolated)))
  }
  if (Array.isArray(value)) return value.map(disguised)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, disguised(inner)]))
  }
  return value
}

/**
 * A language that nobody speaks, from right to left: English in other letters, longer, in brackets. It shows what is
 * not in the catalogue, what is cut, and what stands on the wrong side.
 */
export const pseudo: Texts = {
  // Of the same form as the English one, text by text.
  ...(disguised(en) as Texts),
  ...grammarOf('en-GB', ','),
  locale: 'ar-XB',
  direction: 'rtl',
}
