/**
 * Text sizes, relative to the service's default of 16. Messages follow the setting fully, the surrounding interface by
 * half.
 */
export function textScaleOf(fontSize: number): { text: number; ui: number } {
  // Our default is 14.5 px where the service's is 16.
  const text = Math.min(2, Math.max(0.5, (fontSize - 1.5) / 14.5))
  return { text, ui: 1 + (text - 1) / 2 }
}

/** The line height, relative to the service's default of 140 percent. */
export const lineScaleOf = (lineHeight: number): number => Math.min(2, Math.max(0.6, lineHeight / 140))
