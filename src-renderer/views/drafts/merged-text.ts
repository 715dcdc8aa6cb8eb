import type { MergePiece } from '../../../src-shared/model/draft.ts'

/** What a person chose for one overlap. */
export type Choice = 'local' | 'remote' | 'both'

/**
 * The merged text: the pieces that merged by themselves, and the chosen side of each overlap (the local one by
 * default).
 */
export function mergedText(pieces: readonly MergePiece[], choices: Readonly<Record<number, Choice>>): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'joined') return piece.text
      const choice = choices[piece.number] ?? 'local'
      if (choice === 'local') return piece.local
      if (choice === 'remote') return piece.remote
      const gap =
        piece.local === '' || piece.remote === '' || /\s$/.test(piece.local) || /^\s/.test(piece.remote)
          ? ''
          : ' '
      return piece.local + gap + piece.remote
    })
    .join('')
}

/**
 * The punctuation that ends an overlap's words, such as the full stop of their sentence; empty for none, and for other
 * pieces. Beside the choices it can be read; on its own, on the line below them, it could not.
 */
export function endOf(pieces: readonly MergePiece[], at: number): string {
  const next = pieces[at + 1]
  if (pieces[at]?.kind !== 'conflict' || next?.kind !== 'joined' || next.from !== null) return ''
  return /^\p{P}+(?=\s|$)/u.exec(next.text)?.[0] ?? ''
}
