import { mergedSpans, type Span } from '../../src-shared/model/name-match.ts'
import { foldLetter, shortestPart, termsOf } from '../store/terms.ts'

/** How far back, in letters, a word's end is searched: a longer word is cut, as is text without spaces. */
const longestWord = 24

/**
 * The beginning of `text`, at most `length` UTF-16 code units. If something is left out, it ends in "…": after a whole
 * word if one ends nearby, and never inside a character.
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text
  const room = length - 1
  const space = text.lastIndexOf(' ', room)
  let end = space > room - longestWord && space > 0 ? space : room
  // Half of a surrogate pair would be drawn as a box.
  if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end--
  return `${text.slice(0, end).trimEnd()}…`
}

/** A part of a text and the positions of the matches in it: start and end, in order, none touching another. */
export interface Excerpt {
  readonly excerpt: string
  readonly matches: readonly Span[]
}

const before = 60
const longest = 240

/** The part of `text` around the first of the `needles`, with each match marked; letters fold as in the word index. */
export function excerptAround(text: string, needles: readonly string[]): Excerpt {
  const { folded, startOf } = foldText(text)
  const wanted = needles.flatMap((needle) => findable(folded, needle))
  const first = startOf(Math.min(...wanted.map((needle) => folded.indexOf(needle)), folded.length))
  const start = first <= before || first === text.length ? 0 : text.lastIndexOf(' ', first - before) + 1
  const excerpt = `${start > 0 ? '…' : ''}${beginningOf(text.slice(start), longest)}`
  return { excerpt, matches: placesIn(foldText(excerpt), wanted) }
}

/** The positions of the `needles` in `text`, as in an excerpt. */
export function matchesIn(text: string, needles: readonly string[]): Excerpt['matches'] {
  const folded = foldText(text)
  return placesIn(
    folded,
    needles.flatMap((needle) => findable(folded.folded, needle)),
  )
}

function placesIn({ folded, startOf }: FoldedText, wanted: readonly string[]): Span[] {
  const matches: Span[] = []
  for (const needle of wanted) {
    const { length } = needle
    for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + length)) {
      matches.push([startOf(at), startOf(at + length)])
    }
  }
  return mergedSpans(matches)
}

/** The needle if the text contains it; otherwise those of its longer words that the text contains. */
function findable(folded: string, needle: string): string[] {
  const whole = foldText(needle).folded
  if (whole !== '' && folded.includes(whole)) return [whole]
  return termsOf(needle).filter((term) => term.length >= shortestPart && folded.includes(term))
}

/** A text with its letters folded, and the position of each in the original text. */
interface FoldedText {
  readonly folded: string
  startOf(at: number): number
}

/** True for most texts and for what is cut from them. */
const isPlain = (text: string): boolean => /^[\0-\x7f…]*$/.test(text)

function foldText(text: string): FoldedText {
  if (isPlain(text)) return { folded: text.toLowerCase(), startOf: (at) => at }
  let folded = ''
  const starts: number[] = []
  let at = 0
  for (const letter of text) {
    const one = foldLetter(letter)
    for (let n = 0; n < one.length; n++) starts.push(at)
    folded += one
    at += letter.length
  }
  return { folded, startOf: (place) => starts[place] ?? text.length }
}
