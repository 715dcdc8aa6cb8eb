/**
 * Words as the label of a link. Servers have no escapes, so brackets without a counterpart, which would end the label
 * too early or too late, become parentheses.
 */
export function linkLabel(words: string): string {
  let depth = 0
  let isPaired = true
  for (const sign of words) {
    if (sign === '[') depth++
    else if (sign === ']' && --depth < 0) isPaired = false
  }
  const label = words.replace(/\s*\n\s*/g, ' ')
  return isPaired && depth === 0 ? label : label.replaceAll('[', '(').replaceAll(']', ')')
}
