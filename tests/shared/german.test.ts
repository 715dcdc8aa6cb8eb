import { expect, test } from 'vitest'
import { de } from '../../src-shared/texts/de.ts'
import { en } from '../../src-shared/texts/en.ts'

// What the compiler cannot say of a language: that its texts are its own, and show every value they are given.

/** The same in both languages. */
const same = new Set(
  `Administrator Alt Bot Bots Code Desktop Dunlin Emoji Esc escape GB Google in Iris KB Link MB Moderator ms Name Navigation Offline offline Proxy push online
  Sand Server Spam Spoiler Tab Twitter chat.example.org`.split(/\s+/),
)
const isSame = (text: string) => text.split(/\s+/).every((word) => same.has(word) || !/\p{L}{2}/u.test(word))

interface Pair {
  readonly place: string
  readonly english: unknown
  readonly german: unknown
}
/** Texts side by side, by where they stand in the catalogue. */
function pairs(english: unknown, german: unknown, place = ''): Pair[] {
  if (typeof english !== 'object' || english === null) return [{ place, english, german }]
  return Object.entries(english).flatMap(([name, inner]) =>
    pairs(inner, (german as Record<string, unknown>)[name], place === '' ? name : `${place}.${name}`),
  )
}
const grammar = new Set(['locale', 'direction', 'number', 'plural', 'list'])
const all = pairs(en, de).filter(({ place }) => !grammar.has(place))

/** What a text says of a name, a number or a list; null where it wants values of another kind. */
function said(text: unknown, value: unknown): string | null {
  if (typeof text === 'string') return text
  if (typeof text !== 'function') return null
  try {
    const words: unknown = Reflect.apply(text, undefined, Array(text.length).fill(value))
    return typeof words === 'string' && !words.includes('NaN') ? words : null
  } catch {
    return null
  }
}
const samples = ['‹given›', 7, ['‹given›', '‹too›']]
const sayings = all.flatMap(({ place, english, german }) =>
  samples.flatMap((value) => {
    const words = [said(english, value), said(german, value)]
    return words[0] == null ? [] : [{ place, english: words[0], german: words[1] ?? '' }]
  }),
)

test('no text is left in English', () => {
  expect(all.length).toBeGreaterThan(800)
  expect(
    sayings
      .filter(({ english, german }) => english === german && !isSame(english.replace(/‹\w+›/g, '')))
      .map(({ place }) => place),
  ).toEqual([])
})

test('a text takes the same values in both languages, and shows them', () => {
  const values = ({ english }: Pair) => (typeof english === 'function' ? english.length : 0)
  for (const pair of all) expect(values(pair), pair.place).toBe(values({ ...pair, english: pair.german }))
  const given = (text: string) => new Set(text.match(/‹\w+›|7/g))
  for (const { place, english, german } of sayings) expect(given(german), place).toEqual(given(english))
})

test('no name stands inside a plural form, where its # would be the number', () => {
  const [name, count] = ['#name', 7]
  const found = all.flatMap(({ place, english, german }) =>
    [english, german].flatMap((text) => {
      if (typeof text !== 'function') return []
      const mixed = Array.from({ length: 2 ** text.length }, (_, mask) =>
        Array.from({ length: text.length }, (_inner, index) => ((mask >> index) & 1 ? name : count)),
      )
      return [...mixed, Array(text.length).fill([name])].flatMap((values) => {
        try {
          return /\dname/.test(String(Reflect.apply(text, undefined, values))) ? [place] : []
        } catch {
          // It takes values of another kind.
          return []
        }
      })
    }),
  )
  expect(found).toEqual([])
})
