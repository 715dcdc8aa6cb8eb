/** Elements that are not text of the message, or that have a more telling colour of their own. */
const passedOver =
  '.user-mention, .user-group-mention, .topic-mention, .katex, .code-tools, button, time, select, .emoji'

const inPattern = (word: string): string =>
  word
    .trim()
    .split(/\s+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('\\s+')

/**
 * Matches the words where they stand by themselves, in any case, as servers do; null for no words. A phrase also
 * matches across the end of a line.
 */
export function alertPattern(words: readonly string[]): RegExp | null {
  const wanted = words.filter((word) => word.trim() !== '').sort((a, b) => b.length - a.length)
  if (wanted.length === 0) return null
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${wanted.map(inPattern).join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
}

let last: { words: readonly string[]; pattern: RegExp | null } | null = null
/** All messages share one pattern as long as the words stay the same. */
const patternOf = (words: readonly string[]): RegExp | null => {
  if (last?.words !== words) last = { words, pattern: alertPattern(words) }
  return last.pattern
}

/** Marks the person's alert words in sanitized content, and removes the marks of former alert words. */
export function markAlertWords(node: HTMLElement, words: readonly string[]): void {
  const marks = [...node.querySelectorAll('mark.alert-word')]
  const pattern = patternOf(words)
  for (const mark of marks) {
    const { parentElement } = mark
    mark.replaceWith(...mark.childNodes)
    parentElement?.normalize()
  }
  if (pattern === null || !(node.textContent ?? '').match(pattern)) return
  const texts: Text[] = []
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    // Direct children of the content include Svelte's own boundary markers.
    const isPassed =
      currentNode.parentElement === node || currentNode.parentElement?.closest(passedOver) != null
    if (!isPassed && currentNode instanceof Text) texts.push(currentNode)
  }
  for (const text of texts) markIn(text, pattern)
}

function markIn(text: Text, pattern: RegExp): void {
  const found = [...text.data.matchAll(pattern)]
  // From the end, so that earlier matches keep their offsets.
  for (const match of found.reverse()) {
    const word = text.splitText(match.index)
    word.splitText(match[0].length)
    const mark = document.createElement('mark')
    mark.className = 'alert-word'
    word.replaceWith(mark)
    mark.append(word)
  }
}
