const bareLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
}

const isPlain = /^[ -~]*$/

/** The form in which names are compared and searched: lower case, without accents. */
export function foldName(name: string): string {
  // Enough for most names, and many names are compared at once.
  if (isPlain.test(name)) return name.toLowerCase()
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øłđðþæœßı]/g, (letter) => bareLetters[letter] ?? letter)
    .normalize('NFC')
}

/** Start and end of a stretch of text. */
export type Span = readonly [number, number]

/** How well the typed text matches the names. */
export interface NameMatch {
  /** Higher is better; between 0 and 9. */
  readonly score: number
  /** For each name, the matching stretches, in order and without overlaps. */
  readonly spans: readonly (readonly Span[])[]
}

/** The score of each way in which a word can match. */
const tiers = { start: 4, word: 3, within: 2, letters: 1 } as const
/** How many letters may be skipped between two typed letters, except before a new word. */
const mostJumps = 2
/** The weight of every name after the first. */
const besideLoss = 0.75

interface WordMatch {
  readonly tier: number
  readonly spans: Span[]
}

/**
 * Matches typed words against names. Every word must match one of the names: at its beginning, at the beginning of a
 * word, within a word, or by its letters in order. The first name has the highest weight. Null if a word matches no
 * name; no words match everything. Words come from `wordsOf`; names are compared in folded form.
 */
export function matchNames(names: readonly string[], words: readonly string[]): NameMatch | null {
  const folded = names.map(foldName)
  const fit = fitOf(folded, words)
  if (fit === null) return null
  const spans = names.map((): Span[] => [])
  for (const { at, match } of fit.found) spans[at]?.push(...match.spans)
  return {
    score: fit.score,
    // Folding changes the length of very few names. For those nothing is highlighted, rather than the wrong letters.
    spans: spans.map((list, at) => (folded[at]?.length === names[at]?.length ? mergedSpans(list) : [])),
  }
}

/** Only the score, for names that are folded already (`foldName`); for searching many names. */
export const scoreFolded = (folded: readonly string[], words: readonly string[]): number | null =>
  fitOf(folded, words)?.score ?? null

interface Found {
  readonly at: number
  readonly match: WordMatch
  readonly worth: number
}

function fitOf(
  folded: readonly string[],
  words: readonly string[],
): { readonly score: number; readonly found: readonly Found[] } | null {
  if (words.length === 0) return { score: 0, found: [] }
  const found: Found[] = []
  let total = 0
  for (const word of words) {
    let best: Found | null = null
    for (let at = 0; at < folded.length; at++) {
      const match = matchWord(folded[at] ?? '', word)
      if (match === null) continue
      const worth = match.tier - (at === 0 ? 0 : besideLoss)
      if (best === null || worth > best.worth) best = { at, match, worth }
    }
    if (best === null) return null
    total += best.worth
    found.push(best)
  }
  const [first = ''] = folded
  const whole = words.join(' ')
  const isWhole = first === whole ? 3 : first.startsWith(whole) ? 0.3 : 0
  return { score: total / words.length + isWhole - Math.min(first.length, 60) / 200, found }
}

/** Splits typed text into words to search for. */
export const wordsOf = (typed: string): string[] => foldName(typed).split(/\s+/).filter(Boolean)

const isLetter = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)

function matchWord(name: string, word: string): WordMatch | null {
  let within = -1
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    const span: Span = [at, at + word.length]
    if (at === 0) return { tier: tiers.start, spans: [span] }
    if (!isLetter(name[at - 1])) return { tier: tiers.word, spans: [span] }
    if (within === -1) within = at
  }
  if (within >= 0) return { tier: tiers.within, spans: [[within, within + word.length]] }
  return word.length < 2 ? null : matchLetters(name, word)
}

/**
 * Matches the letters of a word in order: the first at the beginning of a word, the others as close together as
 * possible.
 */
function matchLetters(name: string, word: string): WordMatch | null {
  const begins = (at: number) => isLetter(name[at]) && !isLetter(name[at - 1])
  const find = (letter: string, from: number, isWanted: (at: number) => boolean) => {
    for (let at = name.indexOf(letter, from); at >= 0; at = name.indexOf(letter, at + 1))
      if (isWanted(at)) return at
    return -1
  }
  const [first = ''] = word
  for (let start = find(first, 0, begins); start >= 0; start = find(first, start + 1, begins)) {
    const places = [start]
    let jumps = 0
    for (const letter of word.slice(1)) {
      const next = (places.at(-1) ?? 0) + 1
      const beside = name[next] === letter ? next : -1
      const atWord = beside >= 0 ? beside : find(letter, next, begins)
      const anywhere = atWord >= 0 ? atWord : name.indexOf(letter, next)
      if (anywhere < 0) break
      if (atWord < 0) jumps++
      places.push(anywhere)
    }
    if (places.length === word.length && jumps <= mostJumps)
      return { tier: tiers.letters, spans: places.map((at): Span => [at, at + 1]) }
  }
  return null
}

/** The spans in order, with those that overlap or touch made one. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const result: [number, number][] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
