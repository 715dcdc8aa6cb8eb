import { en } from './en.ts'
import { grammarOf } from './grammar.ts'
import type { Texts } from './texts.ts'

// English letters replaced by look-alikes that nobody types: plain text on a screen did not come from the catalogue.
const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const marked = 'áƀćđéƒğĥíĵķĺḿńóƥɋŕśţúṽŵẋýžÁƁĆĐÉƑĞĤÍĴĶĹḾŃÓƤɊŔŚŢÚṼŴẊÝŽ'
const letters = new Map([...plain].map((letter, at) => [letter, [...marked][at] ?? letter]))

/** Encloses a given value (a name, a number) in a text: values are not translated. */
const given = /\u2068[^\u2069]*\u2069/

/** A third longer, as German and Finnish are, and in brackets, so that truncated text is visible. */
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

/** Marks a given value, so that it stays unchanged. */
function isolated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(isolated)
  return typeof value === 'string' ? `\u2068${value}\u2069` : value
}

function disguised(value: unknown): unknown {
  if (typeof value === 'string') return disguise(value)
  if (typeof value === 'function') {
    // A function with the parameters of the English text; its result is disguised too.
    return (...args: unknown[]) => disguised(Reflect.apply(value, undefined, args.map(isolated)))
  }
  if (Array.isArray(value)) return value.map(disguised)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, disguised(inner)]))
  }
  return value
}

/**
 * A right-to-left pseudo-locale: English in other letters, longer, in brackets. It reveals text that is not in the
 * catalogue, text that is truncated, and text on the wrong side.
 */
export const pseudo: Texts = {
  // Of the same form as the English one, text by text.
  ...(disguised(en) as Texts),
  ...grammarOf('en-GB', ','),
  locale: 'ar-XB',
  direction: 'rtl',
}
