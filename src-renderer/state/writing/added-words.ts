/**
 * Appends words to a text, so that the writer can continue after them. Words that are whole lines, such as a quote,
 * start on a new line and end with one; other words continue where the text stops.
 */
export function withWords(text: string, words: string): string {
  const before = text.trimEnd()
  if (words.includes('\n')) return `${before === '' ? '' : `${before}\n\n`}${words.trimEnd()}\n`
  return before === '' || before !== text ? text + words : `${text} ${words}`
}
