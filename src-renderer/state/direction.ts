import { t } from '../../src-shared/texts/texts.ts'

const isRightToLeft = () => t.direction === 'rtl'

/** Where an arrow key goes along a line: 1 onwards, -1 back, as the language runs; 0 for every other key. */
export function stepAlong(key: string): -1 | 0 | 1 {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0
  return (key === 'ArrowLeft') === isRightToLeft() ? 1 : -1
}

/** The side of the screen where a line ends, for what is placed by its side. */
export const endSide = (): 'left' | 'right' => (isRightToLeft() ? 'left' : 'right')

/** How far something is from where lines begin, of how far it is from the left, within a width; all in pixels. */
export const fromStart = (left: number, width: number): number => (isRightToLeft() ? width - left : left)
