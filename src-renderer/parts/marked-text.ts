import type { Span } from '../../src-shared/model/name-match.ts'

/** A text with the parts that fit a search, in order, none touching another. */
export interface Marked {
  readonly text: string
  readonly spans: readonly Span[]
}

/** A text cut at its marks; every other piece is marked. */
export function cutAt({ text, spans }: Marked): string[] {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of spans) {
    pieces.push(text.slice(at, start), text.slice(start, end))
    at = end
  }
  return [...pieces, text.slice(at)]
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
