import type { MergePiece } from '../../../src-shared/model/draft.ts'

/** What a person chose for one overlap. */
export type Choice = 'local' | 'remote' | 'both'

/** The joined text: what joined by itself, and for each overlap what was chosen (the local text where nothing was). */
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
