import { createRequire } from 'node:module'

// Not named "require": the bundler puts a variable of that name before every module.
const read = createRequire(import.meta.url)

/** Sets of short names, best first: the first set that contains a name decides its meaning. */
const presets = ['iamcal', 'github', 'joypixels', 'emojibase', 'cldr'] as const

/** Names that other clients of the service use and no set contains. */
const extraNames: Readonly<Record<string, string>> = {
  check: '2705',
  frown: '1f641',
  working_on_it: '1f6e0',
  big_smile: '1f604',
  time_ticking: '23f3',
  cross_mark: '274c',
}

interface EmojiTable {
  readonly codes: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, string>
}

let table: EmojiTable | undefined

function withoutSelectors(code: string): string {
  return code.toLowerCase().replace(/-fe0[ef](?=-|$)/g, '')
}

/** Loaded at the first emoji: the sets are half a megabyte of JSON. */
function emojiTable(): EmojiTable {
  if (table) return table
  const codes = new Map<string, string>()
  const names = new Map<string, string>()
  for (const preset of presets) {
    // The package's own declaration of these files: code points to one name or a list of names.
    const set = read(`emojibase-data/en/shortcodes/${preset}.json`) as Record<string, string | string[]>
    for (const [points, shortcodes] of Object.entries(set)) {
      const code = withoutSelectors(points)
      for (const name of [shortcodes].flat()) {
        if (!codes.has(name)) codes.set(name, code)
        if (!names.has(code) && codes.get(name) === code) names.set(code, name)
      }
    }
  }
  for (const [name, code] of Object.entries(extraNames)) if (!codes.has(name)) codes.set(name, code)
  return (table = { codes, names })
}

/** The code of a Unicode emoji: its code points in lower-case hex, joined by dashes, without variation selectors. */
export function emojiCodeByName(name: string): string | undefined {
  return emojiTable().codes.get(name)
}

/** The canonical short name of a code (with or without variation selectors); undefined if it is not an emoji. */
export function emojiNameByCode(code: string): string | undefined {
  return emojiTable().names.get(withoutSelectors(code))
}

/** Every name of every emoji by its code, the canonical one first. */
export function emojiNamesByCode(): Map<string, string[]> {
  const { codes, names } = emojiTable()
  const all = new Map([...names].map(([code, name]) => [code, [name]]))
  for (const [name, code] of codes) {
    const known = all.get(code)
    if (known === undefined) all.set(code, [name])
    else if (!known.includes(name)) known.push(name)
  }
  return all
}

/** The code of an emoji character. Does not check that such an emoji exists. */
export function emojiCodeFromText(text: string): string {
  const points = Array.from(text, (character) =>
    (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  )
  return withoutSelectors(points.join('-'))
}
