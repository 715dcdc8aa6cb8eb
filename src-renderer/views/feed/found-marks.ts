const name = 'found'

/**
 * Marks texts in sanitized content, wherever and however large they are written, without touching it; answers how to
 * take the marks away. One element has marks at a time.
 */
export function markFound(node: HTMLElement, texts: readonly string[]): () => void {
  const wanted = [...new Set(texts.map((text) => text.toLowerCase()))].filter((text) => text !== '')
  const ranges: Range[] = []
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    const content = currentNode.textContent ?? ''
    const small = content.toLowerCase()
    // Lower case changes the length of very few letters; then nothing is marked rather than something wrong.
    if (small.length !== content.length) continue
    for (const text of wanted) {
      for (let at = small.indexOf(text); at >= 0; at = small.indexOf(text, at + text.length)) {
        const range = new Range()
        range.setStart(currentNode, at)
        range.setEnd(currentNode, at + text.length)
        ranges.push(range)
      }
    }
  }
  const marks = new Highlight(...ranges)
  CSS.highlights.set(name, marks)
  return () => {
    if (CSS.highlights.get(name) === marks) CSS.highlights.delete(name)
  }
}
