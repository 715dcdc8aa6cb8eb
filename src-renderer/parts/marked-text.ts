import type { Span } from '../../src-shared/model/name-match.ts'

/** A text with the parts that fit a search, in order, none touching another. */
export interface Marked {
  readonly text: string
  readonly spans: readonly Span[]
}

/** A text cut at its marks: each marked part with what is before it, and what is after the last one. */
export function cutAt({ text, spans }: Marked): {
  readonly marks: readonly { readonly before: string; readonly marked: string }[]
  readonly rest: string
} {
  let at = 0
  const marks = spans.map(([start, end]) => {
    const before = text.slice(at, start)
    at = end
    return { before, marked: text.slice(start, end) }
  })
  return { marks, rest: text.slice(at) }
}

/** A text cut at what may be names of emoji, like `:tern:`, each piece with its own marks; every other piece is a name. */
export function cutAtNames({ text, spans }: Marked): Marked[] {
  let end = 0
  return text.split(/(:[^\s:]+:)/).map((piece): Marked => {
    const start = end
    end += piece.length
    const inside = spans.flatMap(([from, to]): Span[] =>
      from < end && to > start ? [[Math.max(from, start) - start, Math.min(to, end) - start]] : [],
    )
    return { text: piece, spans: inside }
  })
}
