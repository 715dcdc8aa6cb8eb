/** How far back the end of a word is looked for, letters: a longer word is cut, as text without spaces is. */
const longestWord = 24

/**
 * The beginning of `text`, at most `length` UTF-16 code units. Where something is left out it ends in "…", after a
 * whole word where one ends nearby, and never within a character.
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text
  const room = length - 1
  const space = text.lastIndexOf(' ', room)
  let end = space > room - longestWord && space > 0 ? space : room
  // Half of a pair is drawn as a box.
  if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end--
  return `${text.slice(0, end).trimEnd()}…`
}

/** A part of a text, and where the matches stand in it: start and end, in order, none touching another. */
export interface Excerpt {
  readonly excerpt: string
  readonly matches: readonly (readonly [number, number])[]
}

const before = 60
const longest = 240

/** The part of `text` around the first of the `needles`, which are in lower case; each of them marked in it. */
export function excerptAround(text: string, needles: readonly string[]): Excerpt {
  const folded = text.toLowerCase()
  // Lower case changes the length of very few letters; then no match is marked rather than a wrong one.
  const places = folded.length === text.length ? needles.map((needle) => folded.indexOf(needle)) : []
  const first = Math.min(...places.filter((place) => place >= 0), text.length)
  const start = first <= before || first === text.length ? 0 : text.lastIndexOf(' ', first - before) + 1
  const excerpt = `${start > 0 ? '…' : ''}${beginningOf(text.slice(start), longest)}`
  const matches: [number, number][] = []
  if (places.length > 0) {
    const lower = excerpt.toLowerCase()
    for (const needle of needles) {
      for (
        let at = lower.indexOf(needle);
        at >= 0 && needle !== '';
        at = lower.indexOf(needle, at + needle.length)
      ) {
        matches.push([at, at + needle.length])
      }
    }
  }
  return { excerpt, matches: disjoint(matches) }
}

function disjoint(spans: [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
