/**
 * The text with words added at its end, ready to be written after. What has lines of its own, like a quote, begins and
 * ends them; anything else goes on where the text stops.
 */
export function withWords(text: string, words: string): string {
  const before = text.trimEnd()
  if (words.includes('\n')) return `${before === '' ? '' : `${before}\n\n`}${words.trimEnd()}\n`
  return before === '' || before !== text ? text + words : `${text} ${words}`
}
