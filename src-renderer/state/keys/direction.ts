import { t } from '../../../src-shared/texts/texts.ts'

const isRightToLeft = () => t.direction === 'rtl'

/**
 * The direction of an arrow key along a line: 1 forwards, -1 back, in the language's direction; 0 for any other key.
 */
export function stepAlong(key: string): -1 | 0 | 1 {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0
  return (key === 'ArrowLeft') === isRightToLeft() ? 1 : -1
}

/** The side of the screen where lines end, for things that are placed by side. */
export const endSide = (): 'left' | 'right' => (isRightToLeft() ? 'left' : 'right')

/** Converts a distance from the left to the distance from where lines begin, within a width; all in pixels. */
export const fromStart = (left: number, width: number): number => (isRightToLeft() ? width - left : left)
