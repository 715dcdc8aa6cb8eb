/**
 * How large text is, beside 1 for what the service calls 16: messages follow in whole, what stands around them in half.
 */
export function textScaleOf(fontSize: number): { text: number; ui: number } {
  // Ours are 14.5 px where the service says 16.
  const text = Math.min(2, Math.max(0.5, (fontSize - 1.5) / 14.5))
  return { text, ui: 1 + (text - 1) / 2 }
}

/** The distance of lines, beside 1 for what the service calls 140 percent. */
export const lineScaleOf = (lineHeight: number): number => Math.min(2, Math.max(0.6, lineHeight / 140))
